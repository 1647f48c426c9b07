/** The data that `nonocsp.pages.filled` wrote into the page; undefined in a page without data. */
export function pageData<T>(): T | undefined {
  const text = document.getElementById("data")?.textContent?.trim();
  return text ? (JSON.parse(text) as T) : undefined;
}
