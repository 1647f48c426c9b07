/** Figures as people read them: the same as in nonocsp/bench/report/figures.py. */

/** With so many significant digits. */
export function significant(value: number, digits = 3): string {
  const whole = String(Math.trunc(Math.abs(Number(value.toPrecision(digits))))).length;
  return value.toFixed(Math.max(0, digits - whole));
}

/** Seconds with three significant digits; a dash for none. */
export function duration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return "–";
  if (seconds === 0) return "0 s";
  if (seconds >= 1) return `${significant(seconds)} s`;
  return seconds >= 1e-3 ? `${significant(seconds * 1e3)} ms` : `${significant(seconds * 1e6)} µs`;
}

export function mebibytes(bytes: number | null): string {
  if (bytes === null) return "–";
  const number = bytes / 2 ** 20;
  return `${number < 10 ? significant(number, 2) : number.toFixed(0)} MiB`;
}

/** A count or a measure, as long as it has to be. */
export function figure(value: number): string {
  if (Number.isInteger(value)) return count(value);
  return Math.abs(value) >= 1e-3 ? significant(value, 4) : value.toExponential(3);
}

/** With thin spaces between thousands, from 10 000 on. */
export function count(value: number): string {
  const digits = String(value);
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A share to a tenth of a percent, if it needs that. */
export function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
