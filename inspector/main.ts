// The page: the input, its address, and the views that show it.

import { addressOf, type Inputs, readAddress } from './address.ts';
import { createComparison } from './compare.ts';
import { byId, formById, inputById, textAreaById } from './dom.ts';
import { createLookUp } from './look-up.ts';
import { spelledOut } from './text.ts';
import { createTurn, pause } from './turn.ts';

const doi = textAreaById('doi');
const other = inputById('with');
const { lookUp } = createLookUp();
const { compare } = createComparison();

/** Drops all responses for the earlier input. @param typing whether the reader is still typing */
function inspect(typing: boolean) {
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

/** At most this many characters are stored in the history. Browsers and the gateway refuse longer inputs. */
const MAX_KEPT = 2_000_000;

interface HistoryEntry {
  readonly address: string;
  readonly typed: Inputs | null;
}

/** The entry for the present input. An input that is too long for an address becomes its state. */
function here(): HistoryEntry {
  const inputs = { doi: doi.value, other: other.value };
  const address = addressOf(inputs);
  const length = inputs.doi.length + inputs.other.length;
  const needsState = address === './' && length > 0 && length <= MAX_KEPT;
  return { address: new URL(address, location.href).href, typed: needsState ? inputs : null };
}

/** The present entry of the history, without the changes that the reader has only typed. */
let currentEntry: HistoryEntry = { address: location.href, typed: history.state as Inputs | null };

const addressTurn = createTurn();

/** Waits for a pause in typing, because browsers refuse to change the address very often. */
function keepAddress() {
  pause(400, addressTurn.begin()).then(
    () => {
      const { address, typed } = here();
      history.replaceState(typed, '', address);
    },
    () => {},
  );
}

/** Adds an entry to the history, and removes typed changes from the entry before it. */
function submit() {
  addressTurn.end();
  const next = here();
  if (next.address !== currentEntry.address || next.typed?.doi !== currentEntry.typed?.doi) {
    history.replaceState(currentEntry.typed, '', currentEntry.address);
    history.pushState(next.typed, '', next.address);
  }
  currentEntry = next;
}

function restore() {
  addressTurn.end();
  currentEntry = { address: location.href, typed: history.state as Inputs | null };
  const inputs = currentEntry.typed ?? readAddress(location.search);
  doi.value = inputs.doi;
  other.value = inputs.other;
  inspect(false);
}

/** Moves the focus to the field. On a touch screen, removes the focus: the keyboard would cover the response. */
function focusField() {
  scrollTo(0, 0);
  if (matchMedia('(pointer: coarse)').matches) doi.blur();
  else doi.focus();
}

byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  submit();
  inspect(false);
  focusField();
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
  focusField();
});

// Moves the focus itself, because a link with a fragment would add an entry to the history.
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
focusField();
