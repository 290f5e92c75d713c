// The handle record: its status, whether it is fresh, and its values.

import type { AnswerError, HandleRecord, RecordValue } from './answers.ts';
import { bounded } from './bounded.ts';
import { el } from './dom.ts';
import { missing } from './failure-view.ts';
import { factList, plate } from './plate.ts';
import { dataView, referenceList } from './record-data.ts';
import { table } from './table.ts';
import { bdi, code } from './text.ts';
import { count, duration, moment, statusInWords } from './words.ts';

const FIRST = 50;
const HEADS = ['Index', 'Type', 'Data', 'Kept for', 'Changed'];

export function recordView(record: HandleRecord | null, error: AnswerError | null, isEmbedded: boolean) {
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

function valuesView(values: readonly RecordValue[]) {
  const caption = `${count(values.length, 'value')}, in the order of the directory`;
  return bounded(values, FIRST, 'value', (some) => table('values', caption, HEADS, some.map(row)));
}

function row({ index, type, data, ttl, expiresAt, timestamp, references, permissions }: RecordValue) {
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

function lifetime(ttl: number | null, expiresAt: string | null) {
  if (ttl !== null) return duration(ttl);
  return expiresAt === null ? 'unknown' : el('span', {}, 'until ', time(expiresAt));
}

function time(text: string) {
  return el('time', { datetime: text }, bdi(moment(text)));
}
