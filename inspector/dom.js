// @ts-check
// Creates elements. A string always becomes text, and never markup or a style.

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes] an attribute that is false, null or undefined is not set
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Attributes} attributes
 * @param {readonly Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

/** @param {readonly Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return children.filter((child) => child !== null && child !== undefined && child !== false);
}

/** @param {Element} parent @param {...Child} children */
export function show(parent, ...children) {
  parent.replaceChildren(...present(children));
}

/** @param {string} label @param {() => void} act @param {Attributes} [attributes] */
export function button(label, act, attributes = {}) {
  const element = el('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', act);
  return element;
}

/** An element of index.html. Throws if the page does not have it. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
}

/** @param {string} id @returns {HTMLFormElement} */
export function formById(id) {
  const element = byId(id);
  if (!(element instanceof HTMLFormElement)) throw new Error(`#${id} is no form.`);
  return element;
}

/** @param {string} id @returns {HTMLTextAreaElement} */
export function textAreaById(id) {
  const element = byId(id);
  if (!(element instanceof HTMLTextAreaElement)) throw new Error(`#${id} is no text area.`);
  return element;
}

/** @param {string} id @returns {HTMLInputElement} */
export function inputById(id) {
  const element = byId(id);
  if (!(element instanceof HTMLInputElement)) throw new Error(`#${id} is no input.`);
  return element;
}
