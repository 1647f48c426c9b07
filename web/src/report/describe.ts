/** A run or an instance in a few lines beside a point, and what a screen reader says of it. */

import type { Data, Picture } from "./data.ts";
import { duration } from "./format.ts";

export interface Description {
  lines: string[];
  /** Of a solution. */
  picture?: Picture | undefined;
}

export const PICTURE = "a solution of this puzzle";

/** An instance: its puzzle, its size, and the picture that solves it. */
export function describeInstance(data: Data, instance: number, ...more: string[]): Description {
  const lines = [`${data.name(instance)}, ${data.size(instance)}`, ...more];
  return { lines, picture: data.solution(instance) };
}

export function describeRun(data: Data, run: number): Description {
  return describeInstance(data, data.instanceOf[run]!, `${data.entrant(run).label}: ${outcome(data, run)}`);
}

/** What came out, and in which time. */
export function outcome(data: Data, run: number): string {
  const termination = data.termination(run);
  const ended = termination === "ok" ? "" : `, ${termination}`;
  return `${data.answer(run)}${ended}, ${duration(data.wall(run))}`;
}

export function spoken({ lines, picture }: Description): string {
  return [...lines, ...(picture ? [PICTURE] : [])].join(". ");
}
