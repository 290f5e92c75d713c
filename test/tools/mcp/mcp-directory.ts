// Names for the tests of tools: registered, absent, an alias, a deleted name, and failures.

import { GatewayError } from '../../../src/errors.ts';
import { NOT_REPORTED } from '../../../src/metadata/retractions-and-updates.ts';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../../support/fake-directory.ts';

const alias = { index: 1, type: 'HS_ALIAS', data: { format: 'string', value: '10.1000/182' }, ttl: 86_400 };

export function createMcpDirectory(): FakeDirectory {
  return createFakeDirectory({
    records: {
      '10.1000/182': [urlValue('https://example.org/182')],
      '10.1000/old': [alias],
      '10.1000/gone': [urlValue('https://www.crossref.org/_deleted-doi/')],
      '10.1000/pаypal': [urlValue('https://example.org/imitation')],
      '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
      '10.1000/busy': new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 7 } }),
      '10.1000/held-back': new GatewayError('UPSTREAM_UNAVAILABLE', {
        message: 'The directory is down.',
        details: { heldBack: true, retryAfterSeconds: 2 },
      }),
    },
    metadata: Object.fromEntries(
      ['10.1000/182', '10.1000/old'].map((name) => [
        name,
        {
          title: 'Housing prices in small island states',
          author: [{ family: 'Okafor', given: 'Noor' }],
          issued: { 'date-parts': [[2019]] },
        },
      ]),
    ),
    histories: Object.fromEntries(
      ['10.1000/182', '10.1000/old'].map((name) => [
        name,
        { updates: { ...NOT_REPORTED, outcome: 'NONE_RECORDED' }, relations: [] },
      ]),
    ),
    agencies: {
      '10.1000/182': { status: 'FOUND', agency: 'Crossref' },
      '10.1000/old': new GatewayError('UPSTREAM_TIMEOUT'),
    },
  });
}
