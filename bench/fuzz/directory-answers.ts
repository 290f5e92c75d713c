// What the fuzzer's directory does with a request: told by the seed and by what is asked for.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { CANARY } from './canaries.ts';
import { oddValues, plainValues } from './odd-values.ts';

export interface DirectoryAnswer {
  /** for the summary */
  readonly kind: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly waitMs: number;
  /** how the body ends: after so many bytes the connection is reset; `raw`: the body is all that is sent */
  readonly ending: 'whole' | 'reset' | 'raw';
}

const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' };
const TOLD = {
  'content-type': 'text/html',
  server: CANARY,
  'x-trouble': CANARY,
  'set-cookie': `a=${CANARY}`,
};

type Made = Partial<DirectoryAnswer> & { readonly kind: string };
type MakeBody = (asked: readonly string[]) => unknown;

const whole = (made: Made): DirectoryAnswer => ({
  status: 200,
  headers: JSON_TYPE,
  body: Buffer.alloc(0),
  waitMs: 0,
  ending: 'whole',
  ...made,
});
const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

const STATUSES = [200, 201, 204, 300, 302, 304, 400, 401, 403, 404, 410, 414, 429, 500, 502, 503, 504, 599];
const CODES = [1, 2, 3, 4, 7, 100, 102, 200, 301, 302, 402, -1, '1', null];
const RETRY_AFTER = ['', '1', '-1', '1e9', 'Fri, 13 Nov 2026 00:00:00 GMT', '9'.repeat(40)];

/** Mostly whole answers: ten failures in a row would keep all others from being asked for. */
const troubles: fc.Arbitrary<Made> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...STATUSES).map((status) => refused(status, '0')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...RETRY_AFTER).map((retryAfter) => refused(503, retryAfter)),
  },
  {
    weight: 3,
    arbitrary: fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => ({ kind: 'bytes', body: Buffer.from(bytes) })),
  },
  { weight: 1, arbitrary: fc.constant<Made>({ kind: 'huge', body: Buffer.alloc(1_200_000, '[') }) },
  {
    weight: 1,
    arbitrary: fc.constant<Made>({ kind: 'reset', ending: 'reset', body: json({ handle: CANARY }) }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        'HTTP/1.1 200\r\n\r\n',
        `${CANARY}\r\n\r\n`,
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n{',
      )
      .map((text): Made => ({ kind: 'no HTTP', ending: 'raw', body: Buffer.from(text) })),
  },
);

function refused(status: number, retryAfter: string): Made {
  const body = Buffer.from(`<h1>${CANARY}</h1>`);
  return { kind: 'status', status, headers: { ...TOLD, 'retry-after': retryAfter }, body };
}

const waits = fc.constantFrom(...Array.from({ length: 20 }, () => 0), 5, 30, 100, 500);

/** Shapes a body, and cuts it now and then. */
function shaped(bodies: fc.Arbitrary<{ kind: string; status: number; make: MakeBody }>) {
  return fc
    .tuple(bodies, fc.nat(19), fc.nat(60), waits)
    .map(([{ kind, status, make }, chance, cut, waitMs]) => (asked: readonly string[]): DirectoryAnswer => {
      const body = json(make(asked));
      return chance === 0
        ? whole({ kind: 'cut', status, body: body.subarray(0, cut), waitMs })
        : whole({ kind, status, body, waitMs });
    });
}

const records = shaped(
  fc.oneof(
    {
      weight: 6,
      arbitrary: plainValues.map((values) => ({
        kind: 'record',
        status: 200,
        make: ([handle]: readonly string[]) => ({ responseCode: 1, handle, values }),
      })),
    },
    {
      weight: 3,
      arbitrary: oddValues.map((values) => ({
        kind: 'odd record',
        status: 200,
        make: ([handle]: readonly string[]) => ({ responseCode: 1, handle, values, message: CANARY }),
      })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...CODES), fc.constantFrom(...STATUSES))
        .map(([responseCode, status]) => ({
          kind: 'code',
          status,
          make: ([handle]: readonly string[]) => ({ responseCode, handle, values: [], message: CANARY }),
        })),
    },
    {
      weight: 1,
      arbitrary: fc
        .jsonValue()
        .map((body) => ({ kind: 'odd JSON', status: 200, make: () => ({ [CANARY]: body }) })),
    },
  ),
);

const LABELS = ['Crossref', 'DataCite', 'Unknown', 'EIDR', '', 'é'.repeat(50), 7, null];
const STATES = ['Invalid DOI', 'DOI does not exist', 'Unknown', 'odd'];

const agencies = shaped(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }).map((picks) => ({
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
    },
    {
      weight: 2,
      arbitrary: fc.jsonValue().map((body) => ({
        kind: 'odd agencies',
        status: 200,
        make: (asked: readonly string[]) => [...asked.slice(1).map((DOI) => ({ DOI, RA: body })), body],
      })),
    },
  ),
);

const plans = (answers: typeof records) =>
  fc.oneof(
    { weight: 12, arbitrary: answers },
    { weight: 2, arbitrary: troubles.map((made) => () => whole(made)) },
  );
const FACES = { handles: plans(records), doiRA: plans(agencies) };

/** A number for fast-check, told by texts. */
export function seedOf(...texts: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(texts)).digest().readInt32BE();
}

/** @param asked the names of one request */
export function answerOf(seed: number, face: keyof typeof FACES, asked: readonly string[]): DirectoryAnswer {
  const [plan] = fc.sample(FACES[face], { seed: seedOf(seed, face, asked[0]?.toLowerCase()), numRuns: 1 });
  return (plan as (asked: readonly string[]) => DirectoryAnswer)(asked);
}
