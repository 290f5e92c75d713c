// What the fuzzer's directory and agency do with a request: told by the seed and by what is asked for.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type DirectoryAnswer, STATUSES, shaped, troubles, whole } from './answer-parts.ts';
import { weighted } from './arbitraries.ts';
import { CANARY } from './canaries.ts';
import { metadata, sentOn } from './metadata-answers.ts';
import { oddValues, plainValues } from './odd-values.ts';

const CODES = [1, 2, 3, 4, 7, 100, 102, 200, 301, 302, 402, -1, '1', null];

const records = shaped(
  weighted(
    [
      6,
      plainValues.map((values) => ({
        kind: 'record',
        status: 200,
        make: ([handle]: readonly string[]) => ({ responseCode: 1, handle, values }),
      })),
    ],
    [
      3,
      oddValues.map((values) => ({
        kind: 'odd record',
        status: 200,
        make: ([handle]: readonly string[]) => ({ responseCode: 1, handle, values, message: CANARY }),
      })),
    ],
    [
      2,
      fc.tuple(fc.constantFrom(...CODES), fc.constantFrom(...STATUSES)).map(([responseCode, status]) => ({
        kind: 'code',
        status,
        make: ([handle]: readonly string[]) => ({ responseCode, handle, values: [], message: CANARY }),
      })),
    ],
    [1, fc.jsonValue().map((body) => ({ kind: 'odd JSON', status: 200, make: () => ({ [CANARY]: body }) }))],
  ),
);

const LABELS = ['Crossref', 'DataCite', 'Unknown', 'EIDR', '', 'é'.repeat(50), 7, null];
const STATES = ['Invalid DOI', 'DOI does not exist', 'Unknown', 'odd'];

const agencies = shaped(
  weighted(
    [
      6,
      fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }).map((picks) => ({
        kind: 'agencies',
        status: 200,
        make: (asked: readonly string[]) =>
          asked.map((DOI, at) => {
            const pick = picks[at % picks.length] ?? 0;
            return pick < LABELS.length
              ? { DOI, RA: LABELS[pick] }
              : { DOI, status: STATES[pick - LABELS.length] };
          }),
      })),
    ],
    [
      2,
      fc.jsonValue().map((body) => ({
        kind: 'odd agencies',
        status: 200,
        make: (asked: readonly string[]) => [...asked.slice(1).map((DOI) => ({ DOI, RA: body })), body],
      })),
    ],
  ),
);

const plans = (answers: fc.Arbitrary<(asked: readonly string[]) => DirectoryAnswer>) =>
  weighted([12, answers], [2, troubles.map((made) => () => whole(made))]);
const FACES = {
  handles: plans(records),
  doiRA: plans(agencies),
  /** the directory, asked what a name is */
  metadata: plans(sentOn),
  /** the service that it sends to */
  agency: plans(metadata),
};

export type DirectoryFace = keyof typeof FACES;

/** A number for fast-check, told by texts. */
export function seedOf(...texts: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(texts)).digest().readInt32BE();
}

/** @param asked the names of one request */
export function answerOf(seed: number, face: DirectoryFace, asked: readonly string[]): DirectoryAnswer {
  const [plan] = fc.sample(FACES[face], { seed: seedOf(seed, face, asked[0]?.toLowerCase()), numRuns: 1 });
  return (plan as (asked: readonly string[]) => DirectoryAnswer)(asked);
}
