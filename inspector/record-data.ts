// The data of a value by its format.

import type { ValueData, ValueReference } from './answers.ts';
import { bounded } from './bounded.ts';
import { el } from './dom.ts';
import { code, isSafe, link, longText } from './text.ts';
import { count, permissionInWords } from './words.ts';

type DataOf<Name extends ValueData['__typename']> = Extract<ValueData, { readonly __typename: Name }>;

export function dataView(data: ValueData) {
  switch (data.__typename) {
    case 'HandleStringData':
      return textView(data.value);
    case 'HandleAdminData':
      return adminView(data);
    case 'HandleBinaryData':
      return binaryView(data);
    case 'HandleValueListData':
      return referenceList(data.references);
    case 'HandleSiteData':
      return jsonView('Handle service site', data.site);
    case 'HandleKeyData':
      return jsonView('Public key', data.key);
    case 'HandleOtherData':
      return jsonView('As the directory sends it', data.other);
  }
}

function textView(text: string) {
  if (text === '') return el('span', { class: 'missing' }, 'empty');
  return isSafe(text) && text.length <= 300 ? link(text) : longText(text);
}

function adminView({ handle, index, permissions, grants, legacyByteLength }: DataOf<'HandleAdminData'>) {
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

function binaryView({ base64, hex, byteLength, text }: DataOf<'HandleBinaryData'>) {
  return el(
    'div',
    {},
    el('p', {}, count(byteLength, 'byte')),
    text !== null && el('p', {}, el('small', {}, 'as text'), longText(text)),
    el('div', {}, el('small', {}, 'base64'), longText(base64, 120)),
    el('div', {}, el('small', {}, 'hexadecimal'), longText(hex, 120)),
  );
}

export function referenceList(references: readonly ValueReference[]) {
  if (references.length === 0) return el('span', { class: 'missing' }, 'an empty list');
  return bounded(references, 50, 'reference', (some) =>
    el(
      'ul',
      { class: 'inline-list' },
      ...some.map(({ handle, index }) => el('li', {}, code(handle), ` at ${index}`)),
    ),
  );
}

function jsonView(label: string, value: unknown) {
  const text = JSON.stringify(value ?? null, null, 2);
  const shown = longText(text, 4_000);
  if (text.length < 120) return shown;
  return el('details', {}, el('summary', {}, label), shown);
}
