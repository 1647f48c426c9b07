/**
 * Everything that the pages say in English: one section a page, each a table of texts and of functions that make
 * them. Another language is another table of the same type.
 */

import { folderEn } from "../folder/texts.ts";
import { importingEn } from "../importing/texts.ts";
import type { Verdict } from "../core/messages.ts";
import type { Effect } from "../core/module.ts";
import type { Level } from "../core/records.ts";

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

export const en = {
  folder: folderEn,
  importing: importingEn,
  studio: {
    dark: "Dark",
    language: "Language",
    views: "Views",
    view: { draw: "Draw", play: "Play", steps: "Steps", gallery: "Gallery", folder: "Folder" },
    askedAgain: "The check stopped and was started again.",
    notJudged: "The check stopped; your next change starts it again.",
    forbidden: "This browser keeps nothing for this page. Save your drawing as a file before you leave.",
    full: "The browser stores no more: your last changes are not kept. Save your drawing as a file.",
    copied: "Another tab changed this drawing; yours goes on as a copy.",
    followed: "Another tab changed this drawing.",
    damaged: "The kept drawing is damaged and was set aside.",
    openLink: "Open the link",
    keepMine: "Keep mine",
    recent: "Earlier drawings",
    linkOrMine: (linked: string, mine: string) => `The link holds “${linked}”; you were drawing “${mine}”. Yours stays among your earlier drawings.`,
    title: "Title",
    untitled: "Untitled puzzle",
    tools: "Tools",
    tool: { pen: "Pen", fill: "Fill", line: "Line" },
    toolHelp: {
      pen: "Paint cells; a cell of the chosen colour becomes background",
      fill: "Paint all cells of a colour that hang together",
      line: "Paint a straight line from the first cell to the last",
    },
    undo: "Undo",
    redo: "Redo",
    clear: "Clear",
    mirror: "Mirror",
    mirrors: { none: "off", "left-right": "left and right", "top-bottom": "top and bottom", both: "both" },
    shift: "Move",
    shifts: { up: "up", down: "down", left: "left", right: "right" },
    turn: "Turn",
    turns: { across: "Flip left and right", over: "Flip top and bottom", left: "Turn left", right: "Turn right" },
    shape: "Picture",
    about: "About",
    author: "Author",
    licence: "Licence",
    rows: "Rows",
    columns: "Columns",
    colours: "Colours",
    addColour: "Add colour",
    colourName: (name: string) => `Name of ${name}`,
    colourValue: (name: string) => `Colour of ${name}`,
    mergeColour: (name: string) => `Merge ${name} into`,
    removeColour: (name: string) => `Remove ${name}`,
    picture: (rows: number, columns: number) => `Picture of ${rows} rows and ${columns} columns`,
    help: "Arrows move, space paints, digits choose colours, P F L tools, R repairs, Ctrl+Z undoes.",
    lineStarted: "Line begun; move to its end and press space.",
    showRepairs: "Show repairs",
    repairs: "Repairs",
    adapt: "Adapt",
    adaptHelp: "Change a few cells until the puzzle has one solution",
    stop: "Stop",
    adapting: (changes: number, open: number) => `${count(changes, "cell")} changed, ${open} open …`,
    adapted: (changed: string[]) => (changed.length ? `Changed ${count(changed.length, "cell")}: ${changed.join("; ")}.` : "The puzzle has one solution already."),
    notAdapted: "Adapt found no changes that leave one solution.",
    changed: (row: number, column: number, colour: string) => `row ${row + 1}, column ${column + 1} is ${colour}`,
    effort: "Difficulty",
    showHeat: "Show where people get stuck",
    noGrade: "The level is known once the puzzle has one solution.",
    grading: "Grading …",
    level: (level: Level): string => level,
    rounds: (grade: number, uses: number) => (grade === 5 ? `what-if ${uses}×` : `grade ${grade} ${uses}×`),
    heat: (grade: number | undefined) => (grade === undefined ? ", no technique decides it" : `, decided by a technique of grade ${grade}`),
    heatLegend: "2, 3, 4: needs a technique of that grade · 5: needs a what-if question · ! open after all",
    noRepairs: "No change of a single cell leaves one solution.",
    noSimplerRepairs: "No change of a single cell makes it line-solvable.",
    searching: (left: number) => `Trying changes, ${left} left …`,
    repairsFound: "One is enough. Point at ● or ○ in the picture.",
    found: (n: number) => `${n} found`,
    noneNeeded: "None needed",
    previous: "Previous repair",
    next: "Next repair",
    apply: (n: number, all: number, colour: string, effect: Effect) => `${n} of ${all}: ${colour}, ${effect === "simple" ? "line-solvable" : "one solution"}`,
    applyIt: "Apply",
    legend: "? ambiguous cell · ● repairs, line-solvable · ○ repairs, one solution",
    checking: "Checking …",
    blank: "Draw something: the verdict appears here.",
    noSolution: "The clues have no solution.",
    solving: "Solving the clues …",
    cell: (row: number, column: number, colour: string, isAmbiguous: boolean, effect: Effect) =>
      `row ${row + 1} column ${column + 1}, ${colour}${isAmbiguous ? ", ambiguous" : ""}${effect === "none" || effect === "undecided" ? "" : `, repair: ${effect === "simple" ? "line-solvable" : "one solution"}`}`,
    verdict({ solutions, isComplete, open, sweeps, ambiguous }: Verdict): string {
      const differing = ambiguous.reduce((sum, cell) => sum + cell, 0);
      if (solutions === "several") {
        const found = `Several solutions: ${count(differing, "ambiguous cell")}`;
        return isComplete ? found : `${found} so far …`;
      }
      if (solutions === "one" && open === 0) return `One solution, line-solvable in ${count(sweeps, "sweep")}`;
      if (solutions === "one") return `One solution, but line solving leaves ${count(open, "cell")} open`;
      return `Checking: line solving leaves ${count(open, "cell")} open …`;
    },
  },
};

export type Texts = typeof en;
