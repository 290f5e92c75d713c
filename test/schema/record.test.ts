// DOI.record: its values, the filters of values, its freshness and its message.

import { describe, expect, test } from 'vitest';
import { createRecord } from '../../src/handle/record.ts';
import { NOW } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { createFakeGateway } from './fake-gateway.ts';
import { NAME, ONE_CALL, recordOf, value } from './one-record.ts';

describe('a record', () => {
  test('has its values complete and in the order of the directory', async () => {
    const admin = { handle: '0.na/10.1000', index: 200, permissions: '011111110010' };
    const timestamp = '2000-04-13T15:08:57Z';
    const references = [{ handle: '200/1', index: 300 }];
    const record = await recordOf(
      [
        value(100, 'HS_ADMIN', { data: { format: 'admin', value: admin }, timestamp }),
        value(1, 'URL', { permissions: '1110', references }),
        value(700_050, '700050', { data: { format: 'string', value: '2025031202241500560' }, ttl: -5 }),
      ],
      `responseCode status handle message stale
       values { index type text ttl expiresAt timestamp permissions references { handle index } }`,
    );
    const absent = { expiresAt: null, timestamp: null, permissions: null, references: [] };
    expect(record).toEqual({
      responseCode: 1,
      status: 'SUCCESS',
      handle: NAME,
      message: null,
      stale: false,
      values: [
        { ...absent, index: 100, type: 'HS_ADMIN', text: null, ttl: 86_400, timestamp },
        { ...absent, index: 1, type: 'URL', text: 'URL 1', ttl: 86_400, permissions: '1110', references },
        { ...absent, index: 700_050, type: '700050', text: '2025031202241500560', ttl: -5 },
      ],
    });
  });
});

describe('values(types:, indexes:)', () => {
  const VALUES = [value(3, 'URL.PDF'), value(1, 'URL'), value(2, 'url'), value(100, 'HS_ADMIN')];

  test.each([
    ['', [3, 1, 2, 100]],
    ['(types: null, indexes: null)', [3, 1, 2, 100]],
    ['(types: ["URL"])', [1, 2]],
    ['(types: "URL")', [1, 2]],
    ['(types: ["URL."])', [3, 1, 2]],
    ['(indexes: [100, 1])', [1, 100]],
    ['(types: ["URL"], indexes: [100])', [1, 2, 100]],
    ['(types: ["NONE"])', []],
  ])('values%s has the indexes %j', async (args, indexes) => {
    const record = await recordOf(VALUES, `status values${args} { index }`);
    expect(record).toEqual({ status: 'SUCCESS', values: indexes.map((index) => ({ index })) });
  });

  test('all filters share one look-up', async () => {
    const record = await recordOf(
      VALUES,
      'urls: values(types: ["URL"]) { index } none: values(types: ["NONE"]) { index }',
    );
    expect(record).toEqual({ urls: [{ index: 1 }, { index: 2 }], none: [] });
  });
});

test('freshUntil is fetchedAt and the smallest ttl', async () => {
  const values = [3600, 60, 86_400].map((ttl, index) => value(index + 1, 'URL', { ttl }));
  expect(await recordOf(values, 'fetchedAt freshUntil')).toEqual({
    fetchedAt: new Date(NOW).toISOString(),
    freshUntil: new Date(NOW + 60_000).toISOString(),
  });
});

describe('the message of a record', () => {
  test('with the status ERROR explains the response code', async () => {
    const { query, calls } = await createFakeGateway({ records: { [NAME]: 301 } });
    const { data } = await query(`{ doi(input: "${NAME}") { record { message } } }`);
    expect(data).toEqual({ doi: { record: { message: expect.stringMatching(/^The directory .*\.$/) } } });
    expect(calls).toEqual(ONE_CALL);
  });

  test('is the message of the directory port', async () => {
    const message = 'Not among the records.';
    const { query } = await createFakeGateway({
      records: {
        [NAME]: async (handle) =>
          createRecord({ responseCode: 100, handle, values: [], fetchedAt: NOW, message }),
      },
    });
    const { data } = await query(`{ doi(input: "${NAME}") { record { message status } } }`);
    expect(data).toEqual({ doi: { record: { message, status: 'HANDLE_NOT_FOUND' } } });
  });

  test('names the setting for the live system if the embedded directory lacks the name', async () => {
    const gateway = await createTestGateway();
    const { data } = await gateway.query(
      '{ dois(inputs: ["10.5555/absent", "10.1000/182"]) { record { status message } } }',
    );
    await gateway.close();
    const message = expect.stringContaining('DOI_DIRECTORY_URL=https://doi.org');
    expect(data).toEqual({
      dois: [
        { record: { status: 'HANDLE_NOT_FOUND', message } },
        { record: { status: 'SUCCESS', message: null } },
      ],
    });
  });
});
