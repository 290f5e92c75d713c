// @ts-check
// The page: the input, its address, and the views that show it.

import { addressOf, readAddress } from './address.js';
import { createComparison } from './compare.js';
import { byId, formById, inputById, textAreaById } from './dom.js';
import { createLookUp } from './look-up.js';
import { spelledOut } from './text.js';
import { createTurn, pause } from './turn.js';

/** @import { Asked } from './address.js' */

const doi = textAreaById('doi');
const other = inputById('with');
const { lookUp } = createLookUp();
const { compare } = createComparison();

/** Drops all responses for the earlier input. @param {boolean} typing whether the reader is still typing */
function inspect(typing) {
  document.title =
    doi.value.trim() === ''
      ? 'DOI inspector'
      : `${spelledOut(
          doi.value
            .trim()
            .slice(0, 80)
            .replaceAll(/[\r\n]+/g, ' '),
        )} · DOI inspector`;
  lookUp(doi.value, typing);
  void compare(doi.value, other.value, typing);
}

/** In characters. A longer input is not stored in the history: browsers refuse it, and so does the gateway. */
const MOST_KEPT = 2_000_000;

/** @typedef {{ address: string, typed: Asked | null }} Place a place in the history */

/** The history stores an input that is too long for an address as state. @returns {Place} */
function here() {
  const asked = { doi: doi.value, other: other.value };
  const address = addressOf(asked);
  const length = asked.doi.length + asked.other.length;
  const isLost = address === './' && length > 0 && length <= MOST_KEPT;
  return { address: new URL(address, location.href).href, typed: isLost ? asked : null };
}

/** The present place of the history, before the reader typed in it. @type {Place} */
let settled = { address: location.href, typed: history.state };

const keeping = createTurn();

/** Waits for a pause in typing, because browsers refuse to change the address very often. */
function keepAddress() {
  pause(400, keeping.begin()).then(
    () => {
      const { address, typed } = here();
      history.replaceState(typed, '', address);
    },
    () => {},
  );
}

/** Adds a place to the history, and restores the place before it. */
function submit() {
  keeping.end();
  const next = here();
  if (next.address !== settled.address || next.typed?.doi !== settled.typed?.doi) {
    history.replaceState(settled.typed, '', settled.address);
    history.pushState(next.typed, '', next.address);
  }
  settled = next;
}

function restore() {
  keeping.end();
  settled = { address: location.href, typed: history.state };
  const asked = settled.typed ?? readAddress(location.search);
  doi.value = asked.doi;
  other.value = asked.other;
  inspect(false);
}

/** Moves the focus to the field, but not on a touch screen, where the keyboard would cover the response. */
function settle() {
  scrollTo(0, 0);
  if (matchMedia('(pointer: coarse)').matches) doi.blur();
  else doi.focus();
}

byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  submit();
  inspect(false);
  settle();
});
doi.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  formById('ask').requestSubmit();
});
doi.addEventListener('input', (event) => {
  const isPasted = event instanceof InputEvent && event.inputType === 'insertFromPaste';
  if (isPasted) submit();
  else keepAddress();
  inspect(!isPasted);
});

byId('compare-form').addEventListener('submit', (event) => {
  event.preventDefault();
  submit();
  void compare(doi.value, other.value, false);
});
other.addEventListener('input', () => {
  keepAddress();
  void compare(doi.value, other.value, true);
});

// A link to this page does not load the page again, unless the reader opens it in another tab.
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const anchor = event.target instanceof Element ? event.target.closest('a') : null;
  if (!anchor || anchor.origin !== location.origin || anchor.pathname !== location.pathname) return;
  event.preventDefault();
  doi.value = readAddress(anchor.search).doi;
  if (doi.value === '') other.value = '';
  submit();
  inspect(false);
  // The link is no longer on the page, so the focus must move.
  settle();
});

// Moves the focus itself, because a link with a fragment would add a place to the history.
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  const target = document.querySelector('#redirect-title') ?? document.querySelector('#directory h2');
  if (!(target instanceof HTMLElement)) return;
  target.tabIndex = -1;
  target.focus();
});

// The form for the key disappears, so the focus must move.
addEventListener('gateway-key', () => {
  inspect(false);
  doi.focus();
});

addEventListener('popstate', restore);
restore();
settle();
