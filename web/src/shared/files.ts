/** Hand files to the reader. */

/** The name of a file for a title, without a suffix. */
export const fileName = (title: string): string => title.replace(/[^\p{L}\p{N} _-]/gu, "").trim() || "puzzle";

/** Offer a file as a download. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // The browser reads it when the download begins, which on a busy machine is not at once.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
