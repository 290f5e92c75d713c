// @ts-check
// The data of a value by its format.

import { bounded } from './bounded.js';
import { el } from './dom.js';
import { code, isSafe, link, longText } from './text.js';
import { count, permissionInWords } from './words.js';

/** @import { Reference, ValueData } from './answers.js' */

/** @param {ValueData} data */
export function dataView(data) {
  switch (data.__typename) {
    case 'HandleStringData':
      return textView(data.value ?? '');
    case 'HandleAdminData':
      return adminView(data);
    case 'HandleBinaryData':
      return binaryView(data);
    case 'HandleValueListData':
      return referenceList(data.references ?? []);
    case 'HandleSiteData':
      return jsonView('Handle service site', data.site);
    case 'HandleKeyData':
      return jsonView('Public key', data.key);
    default:
      return jsonView('As the directory sends it', data.other);
  }
}

/** @param {string} text */
function textView(text) {
  if (text === '') return el('span', { class: 'missing' }, 'empty');
  return isSafe(text) && text.length <= 300 ? link(text) : longText(text);
}

/** @param {ValueData} data */
function adminView({ handle = '', index = 0, permissions = '', grants = [], legacyByteLength }) {
  return el(
    'div',
    {},
    el('p', {}, 'Administered by ', code(handle), ` at index ${index}`),
    el(
      'details',
      {},
      el('summary', {}, `${count(grants.length, 'permission')} `, code(permissions)),
      el('ul', { class: 'inline-list' }, ...grants.map((grant) => el('li', {}, permissionInWords(grant)))),
    ),
    legacyByteLength && el('small', {}, 'stored in an old encoding of its length'),
  );
}

/** @param {ValueData} data */
function binaryView({ base64 = '', hex = '', byteLength = 0, text = null }) {
  return el(
    'div',
    {},
    el('p', {}, count(byteLength, 'byte')),
    text !== null && el('p', {}, el('small', {}, 'as text'), longText(text)),
    el('div', {}, el('small', {}, 'base64'), longText(base64, 120)),
    el('div', {}, el('small', {}, 'hexadecimal'), longText(hex, 120)),
  );
}

/** @param {readonly Reference[]} references */
export function referenceList(references) {
  if (references.length === 0) return el('span', { class: 'missing' }, 'an empty list');
  return bounded(references, 50, 'reference', (some) =>
    el(
      'ul',
      { class: 'inline-list' },
      ...some.map(({ handle, index }) => el('li', {}, code(handle), ` at ${index}`)),
    ),
  );
}

/** @param {string} label @param {unknown} value */
function jsonView(label, value) {
  const text = JSON.stringify(value ?? null, null, 2);
  const shown = longText(text, 4_000);
  if (text.length < 120) return shown;
  return el('details', {}, el('summary', {}, label), shown);
}
