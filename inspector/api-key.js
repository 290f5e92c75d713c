// @ts-check
// The API key that a closed gateway requires. The tab keeps the key until it is closed. No address contains the key.

import { el } from './dom.js';

const PLACE = 'doi-gateway-key';

/** the key in the memory of the page, for a browser that stores nothing */
let own = '';

/** @returns {Record<string, string>} */
export function keyHeaders() {
  const key = storedKey();
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

let forms = 0;

/** A field for the key. A new key sends the event `gateway-key` to the window, so that all requests are repeated. */
export function keyForm() {
  forms += 1;
  const id = `api-key-${forms}`;
  const input = el('input', {
    id,
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    autocapitalize: 'off',
    'aria-describedby': `${id}-note`,
  });
  const form = el(
    'form',
    { class: 'key-form' },
    el('label', { for: id }, 'API key'),
    el('div', { class: 'field field-small' }, input, el('button', { type: 'submit' }, 'Ask with this key')),
    el(
      'p',
      { id: `${id}-note` },
      'It is kept in this tab alone, until you close it. Leave the field empty to ask without a key.',
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    keepKey(input.value.trim());
    dispatchEvent(new Event('gateway-key'));
  });
  return form;
}

function storedKey() {
  try {
    return sessionStorage.getItem(PLACE) ?? own;
  } catch {
    return own;
  }
}

/** @param {string} key empty to remove the key */
function keepKey(key) {
  // A header allows no other characters, so no gateway has such a key.
  own = /^[\x21-\x7e]*$/.test(key) ? key : '';
  try {
    if (own === '') sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, own);
  } catch {
    // The key remains in the memory of this page.
  }
}
