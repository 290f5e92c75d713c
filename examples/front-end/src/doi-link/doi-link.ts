// <doi-link>: a link that says what its DOI is.

import { type Card, createCard } from './card.ts';
import { resultOf } from './results.ts';
import { style } from './style.ts';
import { type Mark, type View, viewOf } from './view.ts';

declare global {
  interface HTMLElementTagNameMap {
    'doi-link': DoiLink;
  }
}

const LOOKED_AT = ['href', 'doi', 'gateway', 'layout'];

// A server that renders pages may import this module: there it does nothing.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);
let sheet: CSSStyleSheet | undefined;
let observer: MutationObserver | undefined;

/**
 * Adds title, registration agency and a retraction mark to the link in it, from a DOI gateway:
 *
 * `<doi-link gateway="https://gateway.example/graphql"><a href="https://doi.org/10.1000/182">10.1000/182</a></doi-link>`
 *
 * All elements of a page share one request. If there is no gateway, or it fails, the link stays a plain link.
 *
 * @attr gateway URL of the GraphQL endpoint
 * @attr doi the DOI in any form; left out: the `href` of the link
 * @attr layout `row` shows title and agency below the link; left out: a card on hover and focus shows them
 * @csspart mark the retraction mark; also has `grave` or `mild`
 * @csspart lines title and status of a row
 * @csspart card title and status over the page
 * @csspart title
 * @csspart status agency, and whether retractions are recorded
 */
export class DoiLink extends Base {
  readonly #added = el('span', '');
  readonly #content = el('span', 'card');
  readonly #card: Card;
  #key = '';
  #view: View | null = null;
  /** takes back what the link got */
  #restore = () => {};

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    sheet ??= styleSheet();
    shadow.adoptedStyleSheets = [sheet];
    this.#content.popover = 'manual';
    // The accessible name and description of the link say the same.
    this.#content.ariaHidden = 'true';
    shadow.append(document.createElement('slot'), this.#added, this.#content);
    this.#card = createCard(this, this.#content, () => this.#isCardUseful());
    // One observer for all elements: it holds none of them.
    observer ??= new MutationObserver((records) => {
      for (const host of new Set(records.map(({ target }) => hostOf(target)))) host?.refresh();
    });
    observer.observe(this, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: LOOKED_AT,
    });
  }

  connectedCallback(): void {
    // A parser, or a script, adds link and attributes in the same task.
    queueMicrotask(() => this.refresh());
  }

  disconnectedCallback(): void {
    this.#card.close();
  }

  /** Shows what is known of the link as it is now. Changes of attributes and content call it. */
  refresh(): void {
    if (!this.isConnected) return;
    const input = (this.getAttribute('doi') ?? this.#link()?.getAttribute('href') ?? '').trim();
    const gateway = gatewayUrl(this.getAttribute('gateway'));
    const key = gateway && input && `${gateway} ${input}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#view = null;
      if (key) void this.#request(key, gateway, input);
    }
    this.#render();
  }

  async #request(key: string, gateway: string, input: string): Promise<void> {
    const result = await resultOf(gateway, input);
    if (key !== this.#key) return;
    try {
      this.#view = viewOf(result);
    } catch {
      // Not a response of a DOI gateway: the link stays plain.
    }
    this.#render();
  }

  #link(): HTMLAnchorElement | null {
    return this.querySelector('a');
  }

  #render(): void {
    const view = this.#view;
    const isRow = this.getAttribute('layout') === 'row';
    this.#restore();
    this.#card.close();
    this.#added.replaceChildren();
    this.#content.replaceChildren();
    if (!view) return;
    const { title, mark, status } = view;
    this.#restore = describeLink(this.#link(), view);
    this.#content.append(
      ...titleLine(title),
      el('span', 'status', [mark?.text, status].filter(Boolean).join(' · ')),
    );
    const marks = mark ? [markOf(mark)] : [];
    if (isRow) {
      const line = titleLine(title);
      for (const hidden of line) hidden.ariaHidden = 'true';
      this.#added.append(el('span', 'lines', ...line, el('span', 'status', ...marks, status)));
    } else {
      this.#added.append(...marks);
      for (const each of marks) keepInWindow(each);
    }
  }

  /** Of a row, only where a line is cut. */
  #isCardUseful(): boolean {
    if (!this.#view) return false;
    const lines = [...this.#added.querySelectorAll<HTMLElement>('[part=lines]>*')];
    return lines.length === 0 || lines.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  }
}

function styleSheet(): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(style);
  return made;
}

function hostOf(node: Node): DoiLink | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest('doi-link') ?? null;
}

/** Absolute; empty without a gateway of the web. */
function gatewayUrl(value: string | null): string {
  if (!value?.trim() || !URL.canParse(value, document.baseURI)) return '';
  const { protocol, href } = new URL(value, document.baseURI);
  return /^https?:$/.test(protocol) ? href : '';
}

/** Texts come from elsewhere: they become text nodes, never markup. */
function el(tag: string, part: string, ...children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  if (part) element.setAttribute('part', part);
  element.append(...children);
  return element;
}

function titleLine(title: string): readonly HTMLElement[] {
  // The direction of a title is its own.
  return title ? [el('span', 'title', el('bdi', '', title))] : [];
}

function markOf({ text, isMild, href }: Mark): HTMLElement {
  const mark = el(href === null ? 'span' : 'a', `mark ${isMild ? 'mild' : 'grave'}`, text);
  if (href !== null) {
    mark.setAttribute('href', href);
    mark.ariaLabel = `${text}: notice`;
  }
  return mark;
}

/** A mark above a link near the end of a line would make the page wider. */
function keepInWindow(mark: HTMLElement): void {
  const { left, right } = mark.getBoundingClientRect();
  const shift = Math.min(0, document.documentElement.clientWidth - right) - Math.min(0, left);
  if (shift !== 0) mark.style.translate = `${shift}px -100%`;
}

/** Adds notice and title to the accessible name, which still begins with the visible text. Returns its undoing. */
function describeLink(link: HTMLAnchorElement | null, { title, mark, status }: View): () => void {
  const text = (link?.ariaLabel ?? link?.textContent)?.replace(/\s+/g, ' ').trim();
  // A link of pictures alone has its name from them.
  if (!link || !text) return () => {};
  const added = [mark?.text, text.includes(title) ? '' : title].filter(Boolean).join(': ');
  const undo = [
    setAside(link, 'aria-label', added && `${text}, ${added}`),
    setAside(link, 'aria-description', status),
  ];
  return () => {
    for (const each of undo) each();
  };
}

/** Sets an attribute, if the value is not empty. Returns a function that puts the former value back. */
function setAside(link: Element, name: string, value: string): () => void {
  if (!value) return () => {};
  const former = link.getAttribute(name);
  link.setAttribute(name, value);
  return () => {
    if (link.getAttribute(name) !== value) return;
    if (former === null) link.removeAttribute(name);
    else link.setAttribute(name, former);
  };
}

// Another version of this script may be loaded already.
if (globalThis.customElements && !customElements.get('doi-link')) customElements.define('doi-link', DoiLink);
