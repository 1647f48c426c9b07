/** Data of a page, and of the browser for all pages; its storage may be full or forbidden, then nothing is kept. */

export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It lasts as long as the page.
  }
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** The data that `nonocsp.pages.filled` wrote into the page; undefined in a page without data. */
export function pageData<T>(): T | undefined {
  const text = document.getElementById("data")?.textContent?.trim();
  return text ? (JSON.parse(text) as T) : undefined;
}

/** Numbers that are base64 of bits, the highest first, so many for each. */
export function unpacked(text: string, bits: number, count: number): Uint8Array {
  const bytes = atob(text);
  const bit = (place: number) => (bytes.charCodeAt(place >> 3) >> (7 - (place & 7))) & 1;
  return Uint8Array.from({ length: count }, (_, i) => Array.from({ length: bits }, (_, place) => bit(bits * i + place)).reduce((code, one) => (code << 1) | one, 0));
}

/** The name of a file for a title, without a suffix. */
export const fileName = (title: string): string => title.replace(/[^\p{L}\p{N} _-]/gu, "").trim() || "puzzle";

/** Offer a file as a download. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // The browser reads it when the download begins, which on a busy machine is not at once.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
