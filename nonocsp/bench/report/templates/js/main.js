/** Brings the page to life: unpacks the runs, then shows tables and plots. */
import { showCactus } from "./cactus.js";
import { unpack } from "./data.js";
import { byId } from "./dom.js";
import { showEffort } from "./effort.js";
import { showEvidence } from "./evidence.js";
import { showGrowth } from "./growth.js";
import { showHeatMap } from "./heatmap.js";
import { prepareDialog } from "./run.js";
import { RunsTable } from "./runs.js";
import { showScatter } from "./scatter.js";
import { Selection } from "./selection.js";
import { makeTablesSortable } from "./sorting.js";

async function main() {
  makeTablesSortable();
  prepareDialog();
  openAllForPrinting();
  const data = await unpack(byId("data").textContent ?? "");
  const selection = new Selection(data);
  new RunsTable(data);
  showEvidence(data);
  showCactus(data, selection);
  showScatter(data);
  showHeatMap(data, selection);
  showEffort(data, selection);
  showGrowth(data, selection);
  document.body.dataset.ready = "yes";
}

/** Paper has nothing to click on. */
function openAllForPrinting() {
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}

main().catch((error) => {
  byId("failure").hidden = false;
  byId("failure").textContent = `The plots and the table of runs cannot be shown: ${error.message}`;
  throw error;
});
