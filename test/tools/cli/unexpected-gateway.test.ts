// `doi bulk --gateway` with a program that sends unexpected JSON at that address.

import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openGateway } from '../../../src/tools/cli/open-gateway.ts';
import { sendJson, startDirectoryServer } from '../../support/directory-server.ts';
import { runCli } from './run-cli.ts';

const DIRECTORY = { data: { doiDirectory: { kind: 'PROXY', baseUrls: ['https://doi.org/'] } } };
const FOUND = { problem: null, doi: { name: '10.1000/1', exists: true, warnings: [] } };
const names = (...parseDois: unknown[]) => ({ data: { parseDois } });

async function bulkWith(
  command: string,
  { directory = DIRECTORY, rows }: { directory?: unknown; rows?: unknown },
) {
  const respond = async (body: string, response: ServerResponse) =>
    sendJson(response, 200, body.includes('doiDirectory') ? directory : rows);
  const server = await startDirectoryServer((request, response) => {
    void text(request).then((body) => respond(body, response));
  });
  onTestFinished(server.close);
  const open = () => openGateway({ gateway: server.url.href, live: false }, {});
  const ended = await runCli(command.split(' '), { open, stdin: '10.1000/1\n10.1000/2\n' });
  return { ...ended, url: `${server.url.origin}/graphql` };
}

test('the rows of a valid response are read', async () => {
  const absent = { problem: null, doi: { name: '10.1000/2', exists: false } };
  const { code, stdout } = await bulkWith('bulk -f exists', { rows: names(FOUND, absent) });
  expect([code, stdout]).toEqual([0, 'input,exists,error\n10.1000/1,true,\n10.1000/2,false,\n']);
});

test.each<[string, unknown]>([
  ['null', null],
  ['a list', []],
  ['a text', 'hello'],
  ['an object without data', {}],
  ['data as a list', { data: [] }],
  ['data as a text', { data: 'hello' }],
  ['errors as a text', { data: {}, errors: 'hello' }],
  ['an error of null', { errors: [null] }],
])('the error for %s says that it is no GraphQL response', async (_, rows) => {
  const { code, stderr, url } = await bulkWith('bulk -f exists', { rows });
  expect(code).toBe(3);
  expect(stderr).toContain(
    `doi: ${url} sent no GraphQL response (HTTP status 200). Check that a DOI gateway listens there.\n`,
  );
});

test.each<[string, unknown, string]>([
  ['no names', { data: {} }, 'data.parseDois: Invalid input: expected array, received undefined'],
  [
    'null for the names',
    { data: { parseDois: null } },
    'data.parseDois: Invalid input: expected array, received null',
  ],
  ['fewer names', names(FOUND), 'data.parseDois: expected 2 names, received 1'],
  ['texts', names(FOUND, '10.1000/2'), 'data.parseDois.1: Invalid input: expected object, received string'],
  ['null for a name', names(null, FOUND), 'data.parseDois.0: Invalid input: expected object, received null'],
  [
    'no members',
    names({}, FOUND),
    'data.parseDois.0.problem: Invalid input: expected object, received undefined',
  ],
  [
    'a list for a member',
    names(FOUND, { problem: null, doi: { name: '10.1000/2', redirect: [] } }),
    'data.parseDois.1.doi.redirect: Invalid input: expected object, received array',
  ],
])('the error for %s instead of names has the position and a remedy', async (_, rows, where) => {
  const { code, stdout, stderr } = await bulkWith('bulk -f exists', { rows });
  expect([code, stdout]).toEqual([3, 'input,exists,error\n']);
  expect(stderr).toContain(
    `doi: The gateway sent data of an unexpected shape (${where}). Check that a DOI gateway listens at its address, and that both programs have the same version.\n`,
  );
});

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'PROXY'],
  ['no list of URLs', { kind: 'PROXY' }],
])('there is an error for %s instead of the directory', async (_, doiDirectory) => {
  const { code, stderr } = await bulkWith('bulk -f exists', { directory: { data: { doiDirectory } } });
  expect([code, stderr]).toEqual([
    3,
    'doi: The gateway does not say which directory it uses. Check that --gateway is the address of a DOI gateway.\n',
  ]);
});

test('`doi check` reports that names have no result', async () => {
  const { code, stdout } = await bulkWith('check', { rows: { data: {} } });
  expect(code).toBe(3);
  expect(stdout).toContain('The gateway gave no answer.');
});
