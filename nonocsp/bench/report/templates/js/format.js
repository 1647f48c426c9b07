/** Figures as people read them: the same as in nonocsp/bench/report/figures.py. */

/** @param {number} value @param {number} [digits] @returns {string} With so many significant digits. */
export function significant(value, digits = 3) {
  const whole = String(Math.trunc(Math.abs(Number(value.toPrecision(digits))))).length;
  return value.toFixed(Math.max(0, digits - whole));
}

/** @param {number | null} seconds @returns {string} With three significant digits; a dash for none. */
export function duration(seconds) {
  if (seconds === null || !Number.isFinite(seconds)) return "–";
  if (seconds === 0) return "0 s";
  for (const [factor, unit] of /** @type {[number, string][]} */ ([[1, "s"], [1e3, "ms"]])) {
    if (seconds * factor >= 1) return `${significant(seconds * factor)} ${unit}`;
  }
  return `${significant(seconds * 1e6)} µs`;
}

/** @param {number | null} bytes @returns {string} */
export function mebibytes(bytes) {
  if (bytes === null || Number.isNaN(bytes)) return "–";
  const number = bytes / 2 ** 20;
  return `${number < 10 ? significant(number, 2) : number.toFixed(0)} MiB`;
}

/** @param {number} value @returns {string} A count or a measure, as long as it has to be. */
export function figure(value) {
  if (Number.isInteger(value)) return count(value);
  return Math.abs(value) >= 1e-3 ? significant(value, 4) : value.toExponential(3);
}

/** @param {number} value @returns {string} With thin spaces between thousands, from 10 000 on. */
export function count(value) {
  const digits = String(value);
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** @param {number} value @param {string} noun @returns {string} */
export function plural(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** @param {number} share @returns {string} To a tenth of a percent, if it needs that. */
export function percent(share) {
  return `${Number((100 * share).toFixed(1))} %`;
}
