// The form that describes a reader for the redirect: a country, and attributes that the location must have. A pasted link
// can also have these parameters, and further parameters.

import type { Parameters, RedirectInput } from './answers.ts';
import { type Attributes, el, show } from './dom.ts';
import { type LinkRequest, linkRequestInWords, readProxyParameters } from './proxy-parameters.ts';
import { bdi } from './text.ts';

/** @param onChange called when the reader changes a field */
export function createReaderForm(onChange: () => void) {
  const country = input('country', 'gb', { maxlength: 2, size: 4 });
  const locatt = input('locatt', 'id:1', { size: 12 });
  const notes = el('div', { class: 'link-notes' });
  const element = el(
    'form',
    { class: 'reader', autocomplete: 'off' },
    el('p', { class: 'reader-title' }, 'For a reader who …'),
    el('label', {}, 'is in the country', country),
    el('label', {}, el('span', {}, 'asks for ', el('code', {}, 'locatt')), locatt),
  );
  element.addEventListener('input', () => onChange());
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    onChange();
  });
  let link = readProxyParameters([]);
  let seed = '[]';
  return { element, notes, reader, seedFrom, linkRequest: () => link };

  /** Fills the form from a link. The reader's input stays until another link replaces this input. */
  function seedFrom(parameters: Parameters) {
    const text = JSON.stringify(parameters);
    if (text === seed) return;
    seed = text;
    link = readProxyParameters(parameters);
    country.value = link.reader.country ?? '';
    locatt.value = seededKeys(link);
    show(notes, ...linkRequestInWords(link).map((words) => el('p', { class: 'note' }, bdi(words))));
  }

  function reader(): RedirectInput {
    const { country: linkCountry, locatt: linkKeys, ...others } = link.reader;
    const place = country.value.trim();
    // Parameters of the link are sent unchanged. An incomplete country code is not sent.
    const sent = place === (linkCountry ?? '').trim() || place.length === 2 ? place : '';
    const typed = locatt.value.split(/[\s,]+/).filter((key) => key !== '');
    const keys = locatt.value === seededKeys(link) ? (linkKeys ?? []) : typed;
    return {
      ...others,
      ...(sent !== '' && { country: sent }),
      ...(keys.length > 0 && { locatt: keys }),
    };
  }
}

/** The attributes as text for the field. A field has no line breaks. */
function seededKeys({ reader: { locatt } }: LinkRequest) {
  return (locatt ?? []).join(' ').replaceAll(/[\r\n]/g, '');
}

function input(name: string, example: string, attributes: Attributes) {
  return el('input', {
    name,
    type: 'text',
    placeholder: example,
    spellcheck: 'false',
    autocapitalize: 'off',
    ...attributes,
  });
}
