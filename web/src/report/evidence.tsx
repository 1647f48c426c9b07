/** Pictures of a run that the page speaks of in its text: a wrong answer or one side of a disagreement. */

import type { Data } from "./data.ts";
import { outcome } from "./describe.ts";
import { Captioned } from "./picture.tsx";
import { openRun } from "./run.tsx";

export function Evidence({ data, run }: { data: Data; run: number }) {
  const { label } = data.entrant(run);
  const verb = data.runs.partial[run] ? "painted" : "found";
  return (
    <>
      <p>
        {label}: {outcome(data, run)}
      </p>
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
