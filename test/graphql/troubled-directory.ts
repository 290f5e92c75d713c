// A directory with a name for each outcome: found, absent, alias, drawn, stale, failing, slow.

import { canonicalName, type HandleName } from 'doi-names';
import type { Directory } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { memoryWith } from '../support/directory-memory.ts';
import { urlValue } from '../support/fake-directory.ts';
import {
  createMemoryDirectory,
  type HeldAgency,
  type HeldRecord,
  type MemoryDirectory,
} from '../support/memory-directory.ts';

const alias = (to: string) => ({
  index: 1,
  type: 'HS_ALIAS',
  data: { format: 'string', value: to },
  ttl: 600,
});
const locations = (xml: string) => ({
  index: 1,
  type: '10320/loc',
  data: { format: 'string', value: `<locations>${xml}</locations>` },
  ttl: 300,
});

const MANY_KINDS = [
  urlValue('https://example.org/many', { index: 1 }),
  urlValue('https://example.org/"quoted" \u2028 é 🜚', { index: 2, type: 'URL.PDF' }),
  {
    index: 100,
    type: 'HS_ADMIN',
    data: { format: 'admin', value: { handle: '0.NA/10.5555', index: 200, permissions: '111111110010' } },
    ttl: 86_400,
    timestamp: '2020-07-29T04:52:30Z',
  },
  { index: 7, type: 'BIN', data: { format: 'base64', value: 'AAEC/w==' }, ttl: 60 },
  {
    index: 8,
    type: 'ODD',
    data: { format: 'odd', value: { b: [1, 2.5, null, { a: 'x' }], a: true } },
    ttl: 60,
  },
  {
    index: 9,
    type: 'HS_VLIST',
    data: { format: 'vlist', value: [{ handle: '10.5555/a', index: 3 }] },
    ttl: 60,
  },
];

/** canonical names */
export const TROUBLED_NAMES = [
  '10.5555/url',
  '10.5555/many',
  '10.5555/alias',
  '10.5555/loop',
  '10.5555/drawn',
  '10.5555/one-location',
  '10.5555/stale',
  '10.5555/slow',
  '10.5555/down',
  '10.5555/timeout',
  '10.5555/error',
  '10.5555/no-values',
  '10.5555/agency-down',
  '10.5555/agency-stale',
  '10.5555/absent',
] as const;

const RECORDS: Readonly<Record<string, HeldRecord>> = {
  '10.5555/url': [urlValue('https://example.org/url', { ttl: 3_600 })],
  '10.5555/many': MANY_KINDS,
  '10.5555/alias': [alias('10.5555/url')],
  '10.5555/loop': [alias('10.5555/loop')],
  '10.5555/drawn': [
    locations(
      '<location id="0" href="https://a.example/" weight="1"/><location id="1" href="https://b.example/" weight="3" country="gb"/>',
    ),
  ],
  '10.5555/one-location': [locations('<location id="0" href="https://a.example/" label="A"/>')],
  '10.5555/stale': { stale: [urlValue('https://example.org/stale')] },
  '10.5555/slow': { later: [urlValue('https://example.org/slow')] },
  '10.5555/down': new GatewayError('UPSTREAM_UNAVAILABLE'),
  '10.5555/timeout': new GatewayError('UPSTREAM_TIMEOUT'),
  '10.5555/error': 2,
  '10.5555/no-values': 200,
};

const AGENCIES: Readonly<Record<string, HeldAgency>> = {
  '10.5555/url': { status: 'FOUND', agency: 'Crossref' },
  '10.5555/many': { status: 'FOUND', agency: 'Unheard of' },
  '10.5555/drawn': { status: 'UNKNOWN', agency: null },
  '10.5555/agency-down': new GatewayError('UPSTREAM_BAD_RESPONSE'),
  '10.5555/agency-stale': { stale: { status: 'FOUND', agency: 'DataCite' } },
};

export function createTroubledDirectory(): MemoryDirectory {
  return createMemoryDirectory({ records: RECORDS, agencies: AGENCIES });
}

/** The records of another directory. Every name that it lacks has the outcome of one of the troubled names. */
export function createTroubledBeside(other: Directory): Directory {
  const troubled = createTroubledDirectory();
  const seen = new Set<string>(TROUBLED_NAMES);

  function holderOf(name: HandleName): Directory {
    if (other.memory?.record(name)?.answer.status === 'SUCCESS') return other;
    const key = canonicalName(name);
    if (!seen.has(key)) {
      seen.add(key);
      const like =
        TROUBLED_NAMES[Buffer.from(key).reduce((sum, byte) => sum + byte, 0) % TROUBLED_NAMES.length];
      const [record, agency] = [RECORDS[`${like}`], AGENCIES[`${like}`]];
      if (record !== undefined) troubled.put(key, record);
      if (agency !== undefined) troubled.putAgency(key, agency);
    }
    return troubled;
  }

  return {
    ...troubled,
    memory: memoryWith({
      record: (name) => holderOf(name).memory?.record(name),
      agency: (name) => holderOf(name).memory?.agency(name),
    }),
    resolve: (name, options) => holderOf(name).resolve(name, options),
    whichRa: (names, options) => names.flatMap((name) => holderOf(name).whichRa([name], options)),
  };
}
