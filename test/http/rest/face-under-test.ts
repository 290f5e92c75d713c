// The REST face without a server, with a manual clock.

import { pino } from 'pino';
import type { Directory } from '../../../src/directory/directory.ts';
import { createRestFace } from '../../../src/http/rest/rest-face.ts';
import { createTurns, type Turns } from '../../../src/turns.ts';
import { createFakeDirectory, type RecordBehaviour } from '../../support/fake-directory.ts';
import { responseOf } from '../../support/http-request.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

export interface FaceOptions {
  /** how far the clock of the face is ahead of the records */
  readonly laterMs?: number;
  readonly clock?: () => number;
  readonly localServices?: readonly string[];
  readonly countryHeader?: string | null;
  readonly turns?: Turns;
}

export function createFace(
  directory: Directory,
  {
    laterMs = 0,
    clock = () => NOW + laterMs,
    localServices = [],
    countryHeader = null,
    turns = createTurns(),
  }: FaceOptions = {},
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

/** The response of a face over these records. */
export async function responseTo(
  target: string,
  records: Readonly<Record<string, RecordBehaviour>>,
  { headers = {}, ...options }: FaceOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const face = createFace(createFakeDirectory({ now: NOW, records }), options);
  return responseOf(face, target, { headers });
}
