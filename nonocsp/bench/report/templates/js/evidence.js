/** Pictures of the runs that the page speaks of in its text: wrong answers and disagreements. */
/** @import { Data } from "./data.js" */
import { outcome } from "./describe.js";
import { element } from "./dom.js";
import { captioned } from "./picture.js";
import { openRun } from "./run.js";

/** Draw what is known of every run that an element names in data-run. @param {Data} data */
export function showEvidence(data) {
  for (const place of document.querySelectorAll("[data-run]")) {
    const run = Number(/** @type {HTMLElement} */ (place).dataset.run);
    const { label } = data.entrant(run);
    const verb = data.columns["run.partial"][run] ? "painted" : "found";
    const pictures = data.pictures(run).slice(0, 2);
    place.replaceChildren(
      element("p", {}, `${label}: ${outcome(data, run)}`),
      element("div", { class: "pictures" },
        ...pictures.map((picture) => captioned(data, picture, `${label} ${verb}`))),
      element("button", { type: "button", click: () => openRun(data, run) }, `the run of ${label}`));
  }
}
