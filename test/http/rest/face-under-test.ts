// The REST face in this process, with a clock that stands still.

import { pino } from 'pino';
import type { Directory } from '../../../src/directory/directory.ts';
import { createRestFace } from '../../../src/http/rest/rest-face.ts';
import { createTurns, type Turns } from '../../../src/turns.ts';
import { createFakeDirectory, type RecordBehaviour } from '../../support/fake-directory.ts';
import { answerOf } from '../../support/http-request.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

export interface Over {
  readonly laterMs?: number;
  readonly clock?: () => number;
  readonly localServices?: readonly string[];
  readonly countryHeader?: string | null;
  readonly turns?: Turns;
}

/** A face that is asked `laterMs` after its records were fetched. */
export function faceOver(
  directory: Directory,
  {
    laterMs = 0,
    clock = () => NOW + laterMs,
    localServices = [],
    countryHeader = null,
    turns = createTurns(),
  }: Over = {},
) {
  return createRestFace({
    publicUrl: '',
    countryHeader,
    localServices,
    random: () => 0,
    directory,
    log: pino({ level: 'silent' }),
    turns,
    maxLookups: 2_000,
    clock,
  });
}

export async function headersOf(
  records: Readonly<Record<string, RecordBehaviour>>,
  target: string,
  { headers, ...over }: Over & { readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const face = faceOver(createFakeDirectory({ now: NOW, records }), over);
  return answerOf(face, target, { headers: headers ?? {} });
}
