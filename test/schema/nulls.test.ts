// The null table at the head of the contract, row by row, for what is built.

import { describe, expect, test } from 'vitest';
import type { WhichRaVerdict } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createFakeGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

const URL_VALUE = urlValue('https://example.org/');

describe('doi', () => {
  test('is never null without an error: what is absent from the directory is a DOI all the same', async () => {
    const { query, calls } = await createFakeGateway();
    const result = await query('{ doi(input: "10.1000/absent") { id name } }');
    expect(result).toEqual({ data: { doi: { id: 'doi:10.1000/absent', name: '10.1000/absent' } } });
    expect(calls).toEqual(NO_CALLS);
  });

  test('is null with INVALID_DOI at its path if the input is not a DOI, without a look-up', async () => {
    const { query, calls } = await createFakeGateway();
    const { data, errors } = await query(
      '{ doi(input: "nonsense") { id record { status } exists whichRa { status } } }',
    );
    expect(data).toEqual({ doi: null });
    expect(errors).toMatchObject([{ path: ['doi'], extensions: { code: 'INVALID_DOI' } }]);
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('record and exists', () => {
  const rows = [
    { responseCode: 1, behaviour: [URL_VALUE], status: 'SUCCESS', exists: true, values: [{ index: 1 }] },
    { responseCode: 200, behaviour: 200, status: 'VALUES_NOT_FOUND', exists: true, values: [] },
    { responseCode: 100, behaviour: 100, status: 'HANDLE_NOT_FOUND', exists: false, values: [] },
  ];
  for (const row of rows) {
    test(`are data for response code ${row.responseCode}: ${row.status}, exists ${row.exists}`, async () => {
      const { behaviour, ...record } = row;
      const { query, calls } = await createFakeGateway({ records: { '10.1000/1': behaviour } });
      const result = await query(
        '{ doi(input: "10.1000/1") { record { responseCode status values { index } } exists } }',
      );
      const { exists, ...rest } = record;
      expect(result).toEqual({ data: { doi: { record: rest, exists } } });
      expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [] });
    });
  }

  for (const responseCode of [2, 3, 4, 7, 102, 301, 302, 401, 999]) {
    test(`with response code ${responseCode} the record is data, and exists is null with UPSTREAM_UNAVAILABLE`, async () => {
      const { query, calls } = await createFakeGateway({ records: { '10.1000/1': responseCode } });
      const { data, errors } = await query(
        '{ doi(input: "10.1000/1") { record { responseCode status values { index } } exists } }',
      );
      expect(data).toEqual({ doi: { record: { responseCode, status: 'ERROR', values: [] }, exists: null } });
      expect(errors).toMatchObject([
        { path: ['doi', 'exists'], extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } },
      ]);
      expect(errors).toHaveLength(1);
      expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [] });
    });
  }

  test('a record with status ERROR takes nothing from whichRa and registrationAgency', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/1': 2 },
      agencies: { '10.1000/1': { status: 'FOUND', agency: 'Crossref' } },
    });
    const result = await query(
      '{ doi(input: "10.1000/1") { record { status } whichRa { status } registrationAgency { name } } }',
    );
    expect(result).toEqual({
      data: {
        doi: {
          record: { status: 'ERROR' },
          whichRa: { status: 'FOUND' },
          registrationAgency: { name: 'Crossref' },
        },
      },
    });
    expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [['10.1000/1']] });
  });
});

describe('registrationAgency', () => {
  test('is there when whichRa.status is FOUND', async () => {
    const { query, calls } = await createFakeGateway({
      agencies: { '10.1000/1': { status: 'FOUND', agency: 'Crossref' } },
    });
    const result = await query(
      '{ doi(input: "10.1000/1") { registrationAgency { name } whichRa { status } } }',
    );
    expect(result).toEqual({
      data: { doi: { registrationAgency: { name: 'Crossref' }, whichRa: { status: 'FOUND' } } },
    });
    expect(calls).toEqual({ resolve: [], whichRa: [['10.1000/1']] });
  });

  const unfound: WhichRaVerdict[] = [
    { status: 'INVALID_DOI', agency: null },
    { status: 'DOES_NOT_EXIST', agency: null },
    { status: 'UNKNOWN', agency: null },
  ];
  for (const answer of unfound) {
    test(`is null without an error when whichRa.status is ${answer.status}`, async () => {
      const { query, calls } = await createFakeGateway({ agencies: { '10.1000/1': answer } });
      const result = await query(
        '{ doi(input: "10.1000/1") { registrationAgency { name } whichRa { status agency { name } message } } }',
      );
      expect(result).toEqual({
        data: {
          doi: {
            registrationAgency: null,
            whichRa: { status: answer.status, agency: null, message: expect.stringMatching(/\w/) },
          },
        },
      });
      expect(calls).toEqual({ resolve: [], whichRa: [['10.1000/1']] });
    });
  }
});

describe('a failure', () => {
  test('of a look-up makes record and exists null, each with an error at its path, and nothing else', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/1': new GatewayError('UPSTREAM_TIMEOUT') },
      agencies: { '10.1000/1': { status: 'FOUND', agency: 'DataCite' } },
    });
    const { data, errors } = await query(
      '{ doi(input: "10.1000/1") { id record { status } exists whichRa { status } registrationAgency { name } } }',
    );
    expect(data).toEqual({
      doi: {
        id: 'doi:10.1000/1',
        record: null,
        exists: null,
        whichRa: { status: 'FOUND' },
        registrationAgency: { name: 'DataCite' },
      },
    });
    expect(errors).toHaveLength(2);
    expect(errors).toEqual(
      expect.arrayContaining(
        ['record', 'exists'].map((field) =>
          expect.objectContaining({
            path: ['doi', field],
            extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true },
          }),
        ),
      ),
    );
    expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [['10.1000/1']] });
  });

  test('of Which RA makes whichRa and registrationAgency null, each with an error at its path', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/1': [URL_VALUE] },
      agencies: { '10.1000/1': new GatewayError('UPSTREAM_BAD_RESPONSE') },
    });
    const { data, errors } = await query(
      '{ doi(input: "10.1000/1") { id record { status } exists whichRa { status } registrationAgency { name } } }',
    );
    expect(data).toEqual({
      doi: {
        id: 'doi:10.1000/1',
        record: { status: 'SUCCESS' },
        exists: true,
        whichRa: null,
        registrationAgency: null,
      },
    });
    expect(errors).toHaveLength(2);
    expect(errors).toEqual(
      expect.arrayContaining(
        ['whichRa', 'registrationAgency'].map((field) =>
          expect.objectContaining({
            path: ['doi', field],
            extensions: { code: 'UPSTREAM_BAD_RESPONSE', retryable: false },
          }),
        ),
      ),
    );
    expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [['10.1000/1']] });
  });

  test('of one name in a list leaves the others whole', async () => {
    const { query, calls } = await createFakeGateway({
      records: {
        '10.1000/1': [URL_VALUE],
        '10.1000/2': new GatewayError('UPSTREAM_UNAVAILABLE'),
        '10.1000/3': [URL_VALUE],
      },
    });
    const { data, errors } = await query(
      '{ dois(inputs: ["10.1000/1", "10.1000/2", "10.1000/3"]) { name record { status } } }',
    );
    expect(data).toEqual({
      dois: [
        { name: '10.1000/1', record: { status: 'SUCCESS' } },
        { name: '10.1000/2', record: null },
        { name: '10.1000/3', record: { status: 'SUCCESS' } },
      ],
    });
    expect(errors).toMatchObject([
      { path: ['dois', 1, 'record'], extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } },
    ]);
    expect(calls.resolve).toEqual([
      recordCall('10.1000/1'),
      recordCall('10.1000/2'),
      recordCall('10.1000/3'),
    ]);
  });
});
