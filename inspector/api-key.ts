// The API key that a closed gateway requires. The tab keeps the key until it is closed. No address contains the key.

import { el } from './dom.ts';

const PLACE = 'doi-gateway-key';

/** the key in the memory of the page, for a browser that stores nothing */
let keyInMemory = '';

export function keyHeaders(): Record<string, string> {
  const key = storedKey();
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

let forms = 0;

/** A form for the key. After a new key, sends `gateway-key` to the window, so that the page repeats its requests. */
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
    el('div', { class: 'field field-small' }, input, el('button', { type: 'submit' }, 'Use this key')),
    el(
      'p',
      { id: `${id}-note` },
      'Only this tab keeps the key, until you close the tab. Leave the field empty to use no key.',
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
    return sessionStorage.getItem(PLACE) ?? keyInMemory;
  } catch {
    return keyInMemory;
  }
}

/** @param key empty to remove the key */
function keepKey(key: string) {
  // No gateway has a key with other characters, because a header does not allow them.
  keyInMemory = /^[\x21-\x7e]*$/.test(key) ? key : '';
  try {
    if (keyInMemory === '') sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, keyInMemory);
  } catch {
    // The key remains in the memory of this page.
  }
}
