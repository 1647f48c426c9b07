/** What a run or an instance is, in a few lines beside a point. */
/** @import { Data } from "./data.js" */
import { duration } from "./format.js";
import { drawing } from "./picture.js";

/**
 * An instance: its puzzle, size, and the picture that solves it.
 *
 * @param {Data} data @param {number} instance
 * @returns {(Node | string)[]}
 */
export function describeInstance(data, instance) {
  const puzzle = data.columns["instance.puzzle"][instance];
  const picture = data.solution(instance);
  return [
    `${data.instanceName(instance)}, ${data.size(puzzle)}`,
    ...(picture >= 0 ? [drawing(data, picture, "a solution of this puzzle")] : []),
  ];
}

/** @param {Data} data @param {number} run @returns {string} What came out, and in which time. */
export function outcome(data, run) {
  const termination = data.termination(run);
  const ended = termination === "ok" ? "" : `, ${termination}`;
  return `${data.answer(run)}${ended}, ${duration(data.wall(run))}`;
}

/** @param {Data} data @param {number} run @returns {(Node | string)[]} */
export function describeRun(data, run) {
  const [name, ...picture] = describeInstance(data, data.instance(run));
  return [name, `${data.entrant(run).label}: ${outcome(data, run)}`, ...picture];
}
