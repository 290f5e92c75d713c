// @ts-check
// The handle record: its status, whether it is fresh, and its values.

import { bounded } from './bounded.js';
import { el } from './dom.js';
import { missing } from './failure-view.js';
import { factList, plate } from './plate.js';
import { dataView, referenceList } from './record-data.js';
import { table } from './table.js';
import { bdi, code } from './text.js';
import { count, duration, moment, statusInWords } from './words.js';

/** @import { AnswerError, HandleRecord, RecordValue } from './answers.js' */

const FIRST = 50;
const HEADS = ['Index', 'Type', 'Data', 'Kept for', 'Changed'];

/** @param {HandleRecord | null} record @param {AnswerError | null} error @param {boolean} isEmbedded */
export function recordView(record, error, isEmbedded) {
  if (!record) return plate('record', 'Record', missing(error?.message ?? 'There is no record.'));
  const { status, message, handle, fetchedAt, freshUntil, stale, values, responseCode } = record;
  return plate(
    'record',
    'Record',
    message !== null && el('p', {}, el('bdi', {}, message)),
    factList([
      ['Status', `${statusInWords(status, isEmbedded)} (response code ${responseCode})`],
      ['Handle', code(handle)],
      ['Fetched', time(fetchedAt)],
      ['Fresh until', time(freshUntil)],
    ]),
    stale &&
      el(
        'p',
        { class: 'note' },
        el('span', { class: 'sign', 'aria-hidden': 'true' }, '!'),
        'This record is stale: the directory did not respond in time.',
      ),
    values.length > 0 && valuesView(values),
  );
}

/** @param {readonly RecordValue[]} values */
function valuesView(values) {
  const caption = `${count(values.length, 'value')}, in the order of the directory`;
  return bounded(values, FIRST, 'value', (some) => table('values', caption, HEADS, some.map(row)));
}

/** @param {RecordValue} value */
function row({ index, type, data, ttl, expiresAt, timestamp, references, permissions }) {
  return [
    String(index),
    el('span', {}, code(type), el('small', {}, bdi(data.format))),
    el(
      'div',
      {},
      dataView(data),
      references.length > 0 && el('div', {}, el('small', {}, 'Refers to'), referenceList(references)),
    ),
    lifetime(ttl, expiresAt),
    el(
      'span',
      {},
      timestamp === null ? 'unknown' : time(timestamp),
      permissions !== null && el('small', {}, 'permissions ', bdi(permissions)),
    ),
  ];
}

/** @param {number | null} ttl @param {string | null} expiresAt */
function lifetime(ttl, expiresAt) {
  if (ttl !== null) return duration(ttl);
  return expiresAt === null ? 'unknown' : el('span', {}, 'until ', time(expiresAt));
}

/** @param {string} text */
function time(text) {
  return el('time', { datetime: text }, bdi(moment(text)));
}
