// What the answers of the fuzzer's directory and agency are made of, good and bad.

import fc from 'fast-check';
import { weighted } from './arbitraries.ts';
import { CANARY } from './canaries.ts';

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
export const TOLD = {
  'content-type': 'text/html',
  server: CANARY,
  'x-trouble': CANARY,
  'set-cookie': `a=${CANARY}`,
};

export type Made = Partial<DirectoryAnswer> & { readonly kind: string };
type MakeBody = (asked: readonly string[]) => unknown;

export const whole = (made: Made): DirectoryAnswer => ({
  status: 200,
  headers: JSON_TYPE,
  body: Buffer.alloc(0),
  waitMs: 0,
  ending: 'whole',
  ...made,
});
const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

export const STATUSES = [
  200, 201, 204, 300, 302, 304, 400, 401, 403, 404, 410, 414, 429, 500, 502, 503, 504, 599,
];
const RETRY_AFTER = ['', '1', '-1', '1e9', 'Fri, 13 Nov 2026 00:00:00 GMT', '9'.repeat(40)];

/** Mostly whole answers: ten failures in a row would keep all others from being asked for. */
export const troubles: fc.Arbitrary<Made> = weighted(
  [4, fc.constantFrom(...STATUSES).map((status) => refused(status, '0'))],
  [2, fc.constantFrom(...RETRY_AFTER).map((retryAfter) => refused(503, retryAfter))],
  [3, fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ kind: 'bytes', body: Buffer.from(bytes) }))],
  [1, fc.constant<Made>({ kind: 'huge', body: Buffer.alloc(1_200_000, '[') })],
  [1, fc.constant<Made>({ kind: 'reset', ending: 'reset', body: json({ handle: CANARY }) })],
  [
    1,
    fc
      .constantFrom(
        'HTTP/1.1 200\r\n\r\n',
        `${CANARY}\r\n\r\n`,
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n{',
      )
      .map((text): Made => ({ kind: 'no HTTP', ending: 'raw', body: Buffer.from(text) })),
  ],
);

function refused(status: number, retryAfter: string): Made {
  const body = Buffer.from(`<h1>${CANARY}</h1>`);
  return { kind: 'status', status, headers: { ...TOLD, 'retry-after': retryAfter }, body };
}

export const waits = fc.constantFrom(...Array.from({ length: 20 }, () => 0), 5, 30, 100, 500);

/** Shapes a body, and cuts it now and then. */
export function shaped(bodies: fc.Arbitrary<{ kind: string; status: number; make: MakeBody }>) {
  return fc
    .tuple(bodies, fc.nat(19), fc.nat(60), waits)
    .map(([{ kind, status, make }, chance, cut, waitMs]) => (asked: readonly string[]): DirectoryAnswer => {
      const body = json(make(asked));
      return chance === 0
        ? whole({ kind: 'cut', status, body: body.subarray(0, cut), waitMs })
        : whole({ kind, status, body, waitMs });
    });
}
