// @ts-check
// The page: what is typed, its address, and who is told of it.

import { addressOf, readAddress } from './address.js';
import { createComparison } from './compare.js';
import { byId, inputById } from './dom.js';
import { createLookUp } from './look-up.js';
import { spelledOut } from './text.js';
import { createTurn, pause } from './turn.js';

const doi = inputById('doi');
const other = inputById('with');
const { lookUp } = createLookUp();
const { compare } = createComparison();

/** Every answer of before is thrown away. @param {boolean} typing whether more may follow */
function inspect(typing) {
  document.title =
    doi.value.trim() === '' ? 'DOI inspector' : `${spelledOut(doi.value.slice(0, 80))} · DOI inspector`;
  lookUp(doi.value, typing);
  void compare(doi.value, other.value, typing);
}

const address = () => addressOf({ doi: doi.value, other: other.value });

/** The address that this place in the history had before something else was typed there. */
let settled = location.href;

const keeping = createTurn();

/** Not at every key: browsers refuse a page that changes its address too often. */
function keepAddress() {
  pause(400, keeping.begin()).then(
    () => history.replaceState(null, '', address()),
    () => {},
  );
}

/** Sent off on purpose: a place of its own, and the one before it as it was. */
function submit() {
  keeping.end();
  const next = new URL(address(), location.href).href;
  if (next !== settled) {
    history.replaceState(null, '', settled);
    history.pushState(null, '', next);
  }
  settled = next;
}

function restore() {
  keeping.end();
  settled = location.href;
  const asked = readAddress(location.search);
  doi.value = asked.doi;
  other.value = asked.other;
  inspect(false);
}

byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  submit();
  inspect(false);
});
doi.addEventListener('input', (event) => {
  keepAddress();
  inspect(!(event instanceof InputEvent && event.inputType === 'insertFromPaste'));
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
  // A link among the answers is gone with them.
  if (anchor.closest('main')) doi.focus();
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
