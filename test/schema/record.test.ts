// Handle records: what is fetched, how it is filtered, and how long it is fresh.

import { describe, expect, test } from 'vitest';
import { createRecord } from '../../src/handle/record.ts';
import { NOW, urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { createFakeGateway, recordCall } from './fake-gateway.ts';
import { NAME, ONE_CALL, recordOf, value } from './one-record.ts';

describe('a record', () => {
  test('has its values in directory order, not by index, whole', async () => {
    const record = await recordOf(
      [
        value(100, 'HS_ADMIN', {
          data: {
            format: 'admin',
            value: { handle: '0.na/10.1000', index: 200, permissions: '011111110010' },
          },
          timestamp: '2000-04-13T15:08:57Z',
        }),
        value(1, 'URL', { permissions: '1110', references: [{ handle: '200/1', index: 300 }] }),
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
        {
          ...absent,
          index: 100,
          type: 'HS_ADMIN',
          text: null,
          ttl: 86_400,
          timestamp: '2000-04-13T15:08:57Z',
        },
        {
          ...absent,
          index: 1,
          type: 'URL',
          text: 'URL 1',
          ttl: 86_400,
          permissions: '1110',
          references: [{ handle: '200/1', index: 300 }],
        },
        { ...absent, index: 700_050, type: '700050', text: '2025031202241500560', ttl: -5 },
      ],
    });
  });

  test('of a name that is not found says so, and has no values', async () => {
    const { query, calls } = await createFakeGateway();
    const result = await query(
      '{ doi(input: "10.1000/1") { record { responseCode status handle stale values { index } } } }',
    );
    expect(result).toEqual({
      data: {
        doi: {
          record: {
            responseCode: 100,
            status: 'HANDLE_NOT_FOUND',
            handle: NAME,
            stale: false,
            values: [],
          },
        },
      },
    });
    expect(calls).toEqual(ONE_CALL);
  });

  test('has the handle in the spelling of the request', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/abc': [urlValue('https://example.org/')] },
    });
    const { data } = await query('{ doi(input: "https://doi.org/10.1000/AbC") { record { handle } } }');
    expect(data).toEqual({ doi: { record: { handle: '10.1000/AbC' } } });
    expect(calls).toEqual({ resolve: [recordCall('10.1000/AbC')], whichRa: [] });
  });
});

describe('values(types:, indexes:)', () => {
  const VALUES = [
    value(3, 'URL.PDF'),
    value(1, 'URL'),
    value(2, 'url'),
    value(4, 'URLX'),
    value(5, ''),
    value(100, 'HS_ADMIN'),
    value(6, '\u212aELVIN'),
  ];
  const ALL = [3, 1, 2, 4, 5, 100, 6];
  const rows: readonly { readonly args: string; readonly indexes: readonly number[] }[] = [
    { args: '', indexes: ALL },
    { args: '(types: null, indexes: null)', indexes: ALL },
    { args: '(types: ["URL"])', indexes: [1, 2] },
    { args: '(types: ["uRl"])', indexes: [1, 2] },
    { args: '(types: "URL")', indexes: [1, 2] },
    { args: '(types: ["URL."])', indexes: [3, 1, 2] },
    { args: '(types: ["url.pdf"])', indexes: [3] },
    { args: '(types: ["URL.PDF."])', indexes: [3] },
    { args: '(types: ["HS"])', indexes: [] },
    { args: '(types: ["HS_ADMIN", "URLX"])', indexes: [4, 100] },
    { args: '(types: [""])', indexes: [] },
    { args: '(types: ["kelvin"])', indexes: [] },
    { args: '(indexes: [100, 1])', indexes: [1, 100] },
    { args: '(indexes: [-1])', indexes: [] },
    { args: '(indexes: [999])', indexes: [] },
    { args: '(types: ["URL"], indexes: [100])', indexes: [1, 2, 100] },
    { args: '(types: ["NONE"], indexes: [5])', indexes: [5] },
  ];
  for (const { args, indexes } of rows) {
    test(`values${args} gives [${indexes}]`, async () => {
      const { values } = await recordOf(VALUES, `values${args} { index }`);
      expect(values).toEqual(indexes.map((index) => ({ index })));
    });
  }

  test('filters what was fetched: one look-up for all filters, and the status stays', async () => {
    const record = await recordOf(
      VALUES,
      'responseCode status urls: values(types: ["URL"]) { index } none: values(types: ["NONE"]) { index } all: values { index }',
    );
    expect(record).toEqual({
      responseCode: 1,
      status: 'SUCCESS',
      urls: [{ index: 1 }, { index: 2 }],
      none: [],
      all: ALL.map((index) => ({ index })),
    });
  });
});

describe('freshUntil', () => {
  const SECOND = 1000;
  const DAY = 86_400 * SECOND;
  const rows: readonly {
    readonly what: string;
    readonly ttls: readonly unknown[];
    readonly lifeMs: number;
  }[] = [
    { what: 'is the smallest ttl after fetchedAt', ttls: [3600, 60, 86_400], lifeMs: 60 * SECOND },
    { what: 'is a day after it at the most', ttls: [2_147_483_647], lifeMs: DAY },
    { what: 'is fetchedAt itself for a ttl of 0', ttls: [0, 3600], lifeMs: 0 },
    { what: 'is fetchedAt itself for a negative ttl', ttls: [-1], lifeMs: 0 },
    {
      what: 'is an absolute expiry that comes first',
      ttls: [3600, '2026-11-20T12:30:00Z'],
      lifeMs: 1800 * SECOND,
    },
    { what: 'is fetchedAt itself for a past expiry', ttls: ['2020-01-01T00:00:00Z', 3600], lifeMs: 0 },
    { what: 'is a day after it where no ttl is told', ttls: [undefined], lifeMs: DAY },
  ];
  for (const { what, ttls, lifeMs } of rows) {
    test(what, async () => {
      const values = ttls.map((ttl, index) => value(index + 1, 'URL', { ttl }));
      const record = await recordOf(values, 'fetchedAt freshUntil values(indexes: [-1]) { index }');
      expect(record).toEqual({
        fetchedAt: new Date(NOW).toISOString(),
        freshUntil: new Date(NOW + lifeMs).toISOString(),
        values: [],
      });
    });
  }

  for (const { responseCode, minutes } of [
    { responseCode: 100, minutes: 5 },
    { responseCode: 200, minutes: 5 },
    { responseCode: 2, minutes: 0 },
  ]) {
    test(`is ${minutes} minutes after fetchedAt for response code ${responseCode}`, async () => {
      const { query, calls } = await createFakeGateway({ records: { [NAME]: responseCode } });
      const { data } = await query(`{ doi(input: "${NAME}") { record { fetchedAt freshUntil } } }`);
      expect(data).toEqual({
        doi: {
          record: {
            fetchedAt: new Date(NOW).toISOString(),
            freshUntil: new Date(NOW + minutes * 60 * SECOND).toISOString(),
          },
        },
      });
      expect(calls).toEqual(ONE_CALL);
    });
  }
});

describe('message', () => {
  for (const responseCode of [2, 3, 4, 7, 102, 301, 999]) {
    test(`says of response code ${responseCode}, in the words of the gateway, what went wrong`, async () => {
      const { query } = await createFakeGateway({ records: { [NAME]: responseCode } });
      const { data } = await query(`{ doi(input: "${NAME}") { record { message } } }`);
      expect(data).toEqual({ doi: { record: { message: expect.stringMatching(/^The directory .*\.$/) } } });
    });
  }

  test('is the message of the directory port', async () => {
    const { query } = await createFakeGateway({
      records: {
        [NAME]: async (handle) =>
          createRecord({
            responseCode: 100,
            handle,
            values: [],
            fetchedAt: NOW,
            message: 'Not among the records.',
          }),
      },
    });
    const { data } = await query(`{ doi(input: "${NAME}") { record { message status } } }`);
    expect(data).toEqual({
      doi: { record: { message: 'Not among the records.', status: 'HANDLE_NOT_FOUND' } },
    });
  });

  test('of the embedded directory says how to use the live system for an absent name', async () => {
    const gateway = await createTestGateway();
    const { data } = await gateway.query(
      '{ dois(inputs: ["10.5555/absent", "10.1000/182"]) { record { status message } } }',
    );
    await gateway.close();
    expect(data).toEqual({
      dois: [
        {
          record: {
            status: 'HANDLE_NOT_FOUND',
            message: expect.stringContaining('DOI_DIRECTORY_URL=https://doi.org'),
          },
        },
        { record: { status: 'SUCCESS', message: null } },
      ],
    });
  });
});
