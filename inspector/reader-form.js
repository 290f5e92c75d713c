// @ts-check
// Who the reader is, for the redirection: the country, and attributes that the location must have.

import { el } from './dom.js';

/** @typedef {{ country?: string, locatt?: readonly string[] }} Reader */

/**
 * @param {(reader: Reader) => void} changed while it is typed in
 * @returns {{ element: HTMLFormElement, reader(): Reader }}
 */
export function createReaderForm(changed) {
  const country = input('country', 'gb', { maxlength: 2, size: 4 });
  const locatt = input('locatt', 'id:1', { size: 12 });
  const element = el(
    'form',
    { class: 'reader', autocomplete: 'off' },
    el('p', { class: 'reader-title' }, 'For a reader who …'),
    el('label', {}, 'is in the country', country),
    el('label', {}, el('span', {}, 'asks for ', el('code', {}, 'locatt')), locatt),
  );
  element.addEventListener('input', () => changed(reader()));
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    changed(reader());
  });
  return { element, reader };

  function reader() {
    const keys = locatt.value.split(/[\s,]+/).filter((key) => key !== '');
    return {
      ...(country.value.trim().length === 2 && { country: country.value.trim() }),
      ...(keys.length > 0 && { locatt: keys }),
    };
  }
}

/** @param {string} name @param {string} example @param {import('./dom.js').Attributes} attributes */
function input(name, example, attributes) {
  return el('input', {
    name,
    type: 'text',
    placeholder: example,
    spellcheck: 'false',
    autocapitalize: 'off',
    ...attributes,
  });
}
