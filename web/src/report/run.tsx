/** Everything about one run, in a dialog, and its pictures where the page speaks of it. */

import { type ComponentChild, render } from "preact";
import { byId } from "../shared/data.ts";
import type { Data } from "./data.ts";
import { outcome } from "./plot.ts";
import { count, duration, figure, mebibytes } from "./format.ts";
import { Captioned } from "./picture.tsx";

/** Terms and what is said of them. */
type Entries = [string, ComponentChild][];

export function openRun(data: Data, run: number) {
  const dialog = byId("run") as HTMLDialogElement;
  byId("run-title").textContent = `${data.name(data.instanceOf[run]!)}: ${data.entrant(run).label}`;
  render(<Run data={data} run={run} />, byId("run-content"));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/** Make the dialog close on its button and on a click beside it. */
export function prepareDialog() {
  const dialog = byId("run") as HTMLDialogElement;
  byId("run-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

interface RunProps {
  data: Data;
  run: number;
}

function Run({ data, run }: RunProps) {
  const message = data.message(run);
  const partial = data.runs.partial[run] ? data.runs.pictures[run]! - 1 : -1;
  const statistics: Entries = data.facts(run, "stats").map(([key, value]) => [key, shown(value)]);
  return (
    <>
      {message && <p class={data.isDecided(run) ? "" : "bad"}>{message}</p>}
      <div class="pictures large">
        {data.pictures(run).map((picture, i) => (
          <Captioned key={i} picture={picture} caption={i === partial ? "where it got stuck" : `solution ${i + 1} of ${data.runs.solutions[run]}`} />
        ))}
      </div>
      <Section title="Outcome" entries={outcomeOf(data, run)} />
      <Section title="Statistics" entries={statistics} />
      <Section title="Measured" entries={measured(data, run)} />
      <Others data={data} run={run} />
    </>
  );
}

function Section({ title, entries }: { title: string; entries: Entries }) {
  return (
    <section>
      <h3>{title}</h3>
      {entries.length ? (
        <dl>
          {entries.map(([term, said]) => (
            <>
              <dt>{term}</dt>
              <dd>{said}</dd>
            </>
          ))}
        </dl>
      ) : (
        <p class="note">none</p>
      )}
    </section>
  );
}

/** What the other entrants say about the same instance. */
function Others({ data, run }: RunProps) {
  const others = data.runsOn(data.instanceOf[run]!).filter((other) => other !== run);
  return (
    <section>
      <h3>The same puzzle</h3>
      {others.length ? (
        <ul>
          {others.map((other) => (
            <li key={other}>
              <button type="button" class="link" onClick={() => openRun(data, other)}>
                {data.entrant(other).label}
              </button>{" "}
              {outcome(data, other)}
            </li>
          ))}
        </ul>
      ) : (
        <p class="note">no other runs</p>
      )}
    </section>
  );
}

function outcomeOf(data: Data, run: number): Entries {
  const limits = data.limits(run);
  const most = limits.bound === null ? "all" : `at most ${count(limits.bound)}`;
  const claimed = data.runs.claimed_wall_s[run] ?? null;
  const own = claimed === null ? "" : ` (${duration(claimed)} by its own account)`;
  return [
    ["answer", data.answer(run)],
    ["ended by", data.termination(run)],
    ["wall time", `${duration(data.wall(run))}${own}${limited(limits.wall, duration)}`],
    ["CPU time", `${duration(data.runs.cpu_s[run] ?? null)}${limited(limits.cpu, duration)}`],
    ["peak memory", `${mebibytes(data.runs.peak_rss_bytes[run] ?? null)}${limited(limits.memory, mebibytes)}`],
    ["solutions found", count(data.runs.solutions[run]!)],
    ["task", limits.task === "count" ? `count, ${most}` : limits.task],
  ];
}

function limited(limit: number | null, text: (limit: number) => string): string {
  return limit === null ? ", no limit" : `, limit ${text(limit)}`;
}

function measured(data: Data, run: number): Entries {
  const instance = data.instanceOf[run]!;
  const { executor, machine, versions, code } = data.setting(run);
  const conditions: Entries = data
    .facts(run, "conditions")
    .map(([key, value]) => [key, key === "started" ? new Date(Number(value)).toISOString() : shown(value)]);
  const left = data.left(run);
  return [
    ["campaign", data.contents.campaigns[data.entrant(run).campaign]],
    ["seed", `${data.seed(instance)}`],
    ["repeat", `${data.repeat(instance)}`],
    ["times reliable", data.runs.reliable[run] ? "yes" : "no: the run shared its core"],
    ...conditions,
    ["executor", executor],
    ["machine", machine],
    ["versions", Object.entries(versions).map((entry) => entry.join(" ")).join(", ")],
    ...(code ? ([["code", <code>{code}</code>]] as Entries) : []),
    ...(left ? ([["left behind", left]] as Entries) : []),
    ["run", <code>{data.id(run)}…</code>],
  ];
}

function shown(value: number | string | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? figure(value) : value;
}

export function Evidence({ data, run }: { data: Data; run: number }) {
  const { label } = data.entrant(run);
  const verb = data.runs.partial[run] ? "painted" : "found";
  return (
    <>
      <p>{label}: {outcome(data, run)}</p>
      <div class="pictures">
        {data.pictures(run).slice(0, 2).map((picture, i) => (
          <Captioned key={i} picture={picture} caption={`${label} ${verb}`} />
        ))}
      </div>
      <button type="button" onClick={() => openRun(data, run)}>
        the run of {label}
      </button>
    </>
  );
}
