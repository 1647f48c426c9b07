/** Undo and redo. */

export interface History<T> {
  past: T[];
  present: T;
  future: T[];
}

/** States that can be undone. */
const MOST = 500;

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/** Goes on with a new state; the same state changes nothing. */
export function push<T>({ past, present, future }: History<T>, next: T): History<T> {
  if (next === present) return { past, present, future };
  return { past: [...past, present].slice(-MOST), present: next, future: [] };
}

export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  if (!past.length) return history;
  return { past: past.slice(0, -1), present: past[past.length - 1] as T, future: [present, ...future] };
}

export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  if (!future.length) return history;
  return { past: [...past, present], present: future[0] as T, future: future.slice(1) };
}
