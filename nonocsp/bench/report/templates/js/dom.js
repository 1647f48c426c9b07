/** Elements in one expression. Text only ever becomes text nodes, so nothing that it says is markup. */

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | ((event: any) => void)>} Attributes
 */

const SVG = "http://www.w3.org/2000/svg";
let labels = 0;

/**
 * An HTML element. An attribute that is a function listens to the event of that name; true is an attribute
 * without a value, false none.
 *
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 *
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function shape(tag, attributes = {}, ...children) {
  return furnished(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** Leave out a section of the page that has nothing to show. @param {string} id */
export function leaveOut(id) {
  byId(id).hidden = true;
  document.querySelector(`nav a[href="#${id}"]`)?.closest("li")?.remove();
}

/**
 * A labelled choice.
 *
 * @param {string} label
 * @param {[string, string][]} options  Value and text of each.
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 * @returns {HTMLElement}
 */
export function choice(label, options, chosen, onChange) {
  const select = element("select", { change: (event) => onChange(event.target.value) });
  select.append(...options.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
  return labelled(label, select);
}

/** @param {string} label @param {HTMLElement} control @returns {HTMLElement} Both together. */
export function labelled(label, control) {
  labels += 1;
  control.id = `control-${labels}`;
  return element("span", { class: "control" }, element("label", { for: control.id }, label), " ", control);
}

/**
 * @template {Element} E
 * @param {E} node @param {Attributes} attributes @param {Child[]} children
 * @returns {E}
 */
function furnished(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      node.append(child instanceof Node ? child : String(child));
    }
  }
  return node;
}
