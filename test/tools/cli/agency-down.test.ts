// An agency that is down does not stop `doi bulk`. Its rows fail, but a run and each --resume reach the end of the file.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { type FakeDirectoryOptions, urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, outage, runCli } from './run-cli.ts';

/** The names are more than two batches. */
const ROWS = 2_500;
const FAILING = ['10.5555/7', '10.5555/1200', '10.5555/2300'];
const SERVICE = { agency: 'mEDRA', host: 'data.medra.org' };
const FOUND = [urlValue('https://example.org/')];
const names = Array.from({ length: ROWS }, (_, n) => `10.5555/${n}`);
const input = `doi\n${names.join('\n')}\n`;
const byName = <Value>(value: (name: string) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)]));

/** A directory in which the names of FAILING fail. */
const failing = (error: Error | null): FakeDirectoryOptions => ({
  records: byName(() => FOUND),
  metadata: byName((name) => (error && FAILING.includes(name) ? error : { type: 'book', title: 'T' })),
});

const agencyDown = (details: object = {}) =>
  new GatewayError('UPSTREAM_UNAVAILABLE', { details: { ...SERVICE, ...details } });

async function bulkIn(fields: string, options: FakeDirectoryOptions) {
  const folder = await folderWith({ 'in.csv': input });
  const output = join(folder, 'out.csv');
  const args = ['bulk', join(folder, 'in.csv'), '-f', fields, '-o', output];
  const first = await runCli(args, { gateway: await fakeGateway(options, {}, ENVIRONMENT) });
  return { output, first, args: [...args, '--resume'] };
}

const ENVIRONMENT = { METADATA: 'yes', MAX_METADATA: '3000' };

describe.each([
  ['that the gateway holds back', agencyDown({ heldBack: true, retryAfterSeconds: 2 })],
  ['that fails each time', agencyDown()],
])('an agency %s', (_, error) => {
  test.each(['title', 'exists,title'])(
    'does not stop the run, and the summary counts the failed rows (%s)',
    async (fields) => {
      const { output, first, args } = await bulkIn(fields, failing(error));
      const summaryOf = (found: string) =>
        `2,500 lines, 2,497 ${found}, 3 failed (UPSTREAM_UNAVAILABLE 3).\nFailed at the services of agencies: mEDRA data.medra.org 3. --resume repeats these lines alone.\n`;
      const expected = summaryOf(fields === 'title' ? 'answered' : 'found');
      expect([first.code, first.stderr]).toEqual([3, expected]);
      const rows = (await readFile(output, 'utf8')).split('\n');
      expect(rows[8]).toMatch(/^10\.5555\/7,.*,UPSTREAM_UNAVAILABLE mEDRA data\.medra\.org$/);

      const again = await runCli(args, { gateway: await fakeGateway(failing(error), {}, ENVIRONMENT) });
      expect([again.code, again.stderr]).toEqual([3, expected]);
      expect((await readFile(output, 'utf8')).split('\n')).toEqual(rows);

      const gateway = await fakeGateway(failing(null), {}, ENVIRONMENT);
      const last = await runCli(args, { gateway });
      expect(last.code).toBe(0);
      expect(new Set(gateway.calls.describe)).toEqual(new Set(FAILING.map((name) => `csl ${name}`)));
      expect(await readFile(output, 'utf8')).not.toContain('UPSTREAM');
    },
  );
});

test('some failed names do not stop a resumed run', async () => {
  const down = new GatewayError('UPSTREAM_TIMEOUT');
  const options = { records: byName((name) => (FAILING.includes(name) ? down : FOUND)) };
  const { args } = await bulkIn('exists', options);
  const { code, stderr } = await runCli(args, { gateway: await fakeGateway(options) });
  expect([code, stderr]).toEqual([3, '2,500 lines, 2,497 found, 3 failed (UPSTREAM_TIMEOUT 3).\n']);
});

test('a resumed run without any response stops, and counts all rows of the file', async () => {
  const { output, args } = await bulkIn('exists', {
    records: byName((name) => (FAILING.includes(name) ? new GatewayError('UPSTREAM_TIMEOUT') : FOUND)),
  });
  const before = await readFile(output, 'utf8');
  const gateway = { ...(await fakeGateway()), send: outage };
  const { code, stderr } = await runCli(args, { gateway });
  expect(code).toBe(3);
  expect(stderr).toContain('2,500 lines, 2,497 found, 3 failed (UPSTREAM_TIMEOUT 3).\nStopped: ');
  expect(await readFile(output, 'utf8')).toBe(before);
});
