// Names for the tests of tools: registered, absent, an alias, a deleted name, and failures.

import { GatewayError } from '../../../src/errors.ts';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { workHistory } from '../../support/work-histories.ts';

const alias = { index: 1, type: 'HS_ALIAS', data: { format: 'string', value: '10.1000/182' }, ttl: 86_400 };

const WORK = {
  title: 'Housing prices in small island states',
  author: [{ family: 'Okafor', given: 'Noor' }],
  issued: { 'date-parts': [[2019]] },
};
const NONE_RECORDED = workHistory('NONE_RECORDED');
const PUBLISHED = {
  kind: 'IS_PREPRINT_OF',
  type: 'is-preprint-of',
  identifier: '10.1000/article',
  identifierType: 'doi',
  assertedBy: 'subject',
} as const;
const works = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, WORK]));

export function createMcpDirectory(): FakeDirectory {
  return createFakeDirectory({
    records: {
      '10.1000/182': [urlValue('https://example.org/182')],
      '10.1000/old': [alias],
      '10.1000/gone': [urlValue('https://www.crossref.org/_deleted-doi/')],
      '10.1000/pаypal': [urlValue('https://example.org/imitation')],
      '10.1000/retracted': [urlValue('https://example.org/retracted')],
      '10.1000/preprint': [urlValue('https://example.org/preprint')],
      '10.1000/agency-busy': [urlValue('https://example.org/busy')],
      '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
      '10.1000/busy': new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 7 } }),
      '10.1000/held-back': new GatewayError('UPSTREAM_UNAVAILABLE', {
        message: 'The directory is down.',
        details: { heldBack: true, retryAfterSeconds: 2 },
      }),
    },
    metadata: {
      '10.1000/agency-busy': new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 9 } }),
      ...works(['10.1000/182', '10.1000/old', '10.1000/retracted', '10.1000/preprint']),
    },
    histories: {
      ...Object.fromEntries(['10.1000/182', '10.1000/old'].map((name) => [name, NONE_RECORDED])),
      '10.1000/retracted': workHistory('RETRACTED', 'RETRACTION'),
      '10.1000/preprint': { ...NONE_RECORDED, relations: [PUBLISHED] },
    },
    agencies: {
      '10.1000/182': { status: 'FOUND', agency: 'Crossref' },
      '10.1000/old': new GatewayError('UPSTREAM_TIMEOUT'),
    },
  });
}
