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

/** Every answer of before is thrown away. @param {boolean} typing whether more may follow */
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

/** More is answered by no gateway, and browsers refuse to keep it. */
const MOST_KEPT = 2_000_000;

/** @typedef {{ address: string, typed: Asked | null }} Place a place in the history */

/** An input that is too long for an address is stored beside it. @returns {Place} */
function here() {
  const asked = { doi: doi.value, other: other.value };
  const address = addressOf(asked);
  const length = asked.doi.length + asked.other.length;
  const isLost = address === './' && length > 0 && length <= MOST_KEPT;
  return { address: new URL(address, location.href).href, typed: isLost ? asked : null };
}

/** What this place in the history was before something else was typed there. @type {Place} */
let settled = { address: location.href, typed: history.state };

const keeping = createTurn();

/** Not at every key: browsers refuse a page that changes its address too often. */
function keepAddress() {
  pause(400, keeping.begin()).then(
    () => {
      const { address, typed } = here();
      history.replaceState(typed, '', address);
    },
    () => {},
  );
}

/** Sent off on purpose: a place of its own, and the one before it as it was. */
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

/** Back to the field, for the next name; on a touch screen its keyboard would cover the answer. */
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

// Links to this page stay in it, unless they are opened somewhere else.
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
  // The link is gone: an example is hidden, and one among the answers goes with them.
  settle();
});

// By hand: another fragment would be another place in the history.
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  const target = document.querySelector('#redirect-title') ?? document.querySelector('#directory h2');
  if (!(target instanceof HTMLElement)) return;
  target.tabIndex = -1;
  target.focus();
});

// The field that it was entered in goes with the failure that it stood in.
addEventListener('gateway-key', () => {
  inspect(false);
  doi.focus();
});

addEventListener('popstate', restore);
restore();
settle();
