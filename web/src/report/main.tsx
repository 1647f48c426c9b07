/** Brings the report to life: unpacks the runs, then shows plots, evidence and the table of runs. */

import { type ComponentChild, render } from "preact";
import { byId, pageData } from "../shared/data.ts";
import { markSeries } from "../shared/series.tsx";
import { Cactus } from "./cactus.tsx";
import { type Data, unpack } from "./data.ts";
import { Effort, measures } from "./effort.tsx";
import { plural } from "./format.ts";
import { Growth } from "./growth.tsx";
import { HeatMap } from "./heatmap.tsx";
import { Evidence, prepareDialog } from "./run.tsx";
import { Runs } from "./runs.tsx";
import { Scatter } from "./scatter.tsx";
import { Selection } from "./selection.tsx";
import { makeTablesFilterable, makeTablesSortable } from "./sorting.ts";
import "../shared/theme.css";
import "../shared/page.css";
import "./style.css";

async function main() {
  makeTablesSortable();
  makeTablesFilterable();
  prepareDialog();
  markSeries();
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  show(await unpack(pageData<string>() ?? ""));
  document.body.dataset.ready = "yes";
}

function show(data: Data) {
  const shared = { data, selection: new Selection() };
  const usable = measures(data);
  put("runs", <Runs data={data} />);
  put("cactus", <Cactus {...shared} />);
  put("scatter", data.entrants.length > 1 && <Scatter data={data} />);
  put("heat", <HeatMap {...shared} />);
  put("effort", usable.length > 0 && <Effort {...shared} usable={usable} />);
  if (data.contents.growth.length) put("growth", <Growth {...shared} />);
  for (const place of document.querySelectorAll<HTMLElement>("[data-run]")) {
    render(<Evidence data={data} run={Number(place.dataset.run)} />, place);
  }
  const { left_out: leftOut } = data.contents;
  if (leftOut) byId("runs-note").append(` ${plural(leftOut, "picture")} left out to keep the page small.`);
}

/** Put content into the card of a section; leave out a section that has nothing to show. */
function put(section: string, content: ComponentChild) {
  if (content) {
    render(content, byId(`${section}-card`));
    return;
  }
  byId(section).hidden = true;
  document.querySelector(`nav a[href="#${section}"]`)?.closest("li")?.remove();
}

main().catch((error: Error) => {
  byId("failure").hidden = false;
  byId("failure").textContent = `The plots and the table of runs cannot be shown: ${error.message}`;
  throw error;
});
