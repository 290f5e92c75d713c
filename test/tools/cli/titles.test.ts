// `doi check --titles` finds a real DOI in a wrong reference. A failed look-up changes nothing.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { NOW, urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, jsonLines, runCli } from './run-cli.ts';

const RECORD = [urlValue('https://example.org/')];
const WORK = {
  title: 'Housing prices in small island states',
  author: [{ family: 'Okafor', given: 'Noor' }],
  issued: { 'date-parts': [[2019]] },
};
const RIGHT = 'Okafor, N. (2019). Housing prices in small island states. Lancet, 1. doi:10.1000/a\n';
const WRONG = 'Ito, Y. (1987). Coral bleaching and the early Universe. Nature, 3. doi:10.1000/b\n';
const BARE = 'doi:10.1000/c\n';
const RECORDS = { '10.1000/a': RECORD, '10.1000/b': RECORD, '10.1000/c': RECORD };
const METADATA = { '10.1000/a': WORK, '10.1000/b': WORK, '10.1000/c': WORK };

describe('doi check --titles', () => {
  const check = async (text: string, args: readonly string[] = [], metadata: object | null = METADATA) => {
    const gateway = await fakeGateway({ records: RECORDS, ...(metadata && { metadata: { ...metadata } }) });
    return { gateway, ...(await runCli(['check', '--titles', ...args], { gateway, stdin: text })) };
  };

  test('writes whether each reference fits, and the real title if it does not fit', async () => {
    const { code, stdout, stderr } = await check(RIGHT + WRONG + BARE);
    expect(stdout.split('\n').map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'fits: 10.1000/a',
      'does not fit: 10.1000/b (it is “Housing prices in small island states”)',
      'found: 10.1000/c (cannot tell whether it fits: it is “Housing prices in small island states”)',
      '',
    ]);
    expect(stderr).toBe(
      '3 references: 3 found, 0 absent, 0 cannot tell; of the titles 1 fit, 1 do not fit, 1 cannot tell\n',
    );
    expect(code).toBe(1);
  });

  test('writes the fit and the title in JSON', async () => {
    const { stdout } = await check(`${RIGHT}${WRONG}${BARE}doi:10.1000/none\n`, ['--json']);
    const { title } = WORK;
    expect(jsonLines(stdout)).toMatchObject([
      { fit: 'fits', title },
      { fit: 'does-not-fit', title },
      { fit: 'unknown', title },
      { outcome: 'absent', fit: null, title: null },
    ]);
  });

  test('writes with --quiet each reference that does not fit or cannot be judged', async () => {
    const { stdout, code } = await check(RIGHT + WRONG + BARE, ['--quiet']);
    expect(stdout.match(/^.*?(?= \()/gm)).toEqual([
      expect.stringMatching(/^-:2:\d+: does not fit: 10\.1000\/b$/),
      '-:3:1: found: 10.1000/c',
    ]);
    expect(code).toBe(1);
  });

  test('writes with --quiet a reference that cannot be judged, even if a later reference with its DOI fits', async () => {
    const between = Array.from({ length: 60 }, (_, at) => `doi:10.1000/absent.${at}\n`).join('');
    const { stdout } = await check(`Li, 2001. doi:10.1000/a\n\n${between}\n${RIGHT}`, ['--quiet']);
    expect(stdout.match(/^.*10\.1000\/a\b.*$/gm)).toEqual([
      expect.stringMatching(/^-:1:\d+: found: 10\.1000\/a \(cannot tell/),
    ]);
    const { stdout: annotations } = await check(`${RIGHT}\nLi, 2001. doi:10.1000/a\n`, [
      '--format',
      'github',
    ]);
    expect(annotations).toMatch(/^::warning file=-,line=3,.*\n$/);
  });

  test('exits with 0 if all references fit or cannot be judged', async () => {
    expect((await check(RIGHT + BARE)).code).toBe(0);
  });

  test('looks up each title once, and looks up no title without the option', async () => {
    const { gateway } = await check(RIGHT + RIGHT + RIGHT.toUpperCase());
    expect(gateway.calls.describe).toEqual(['csl 10.1000/a']);
    const without = await fakeGateway({ records: RECORDS, metadata: METADATA });
    const { stdout } = await runCli(['check'], { gateway: without, stdin: RIGHT });
    expect([stdout, without.calls.describe]).toEqual([expect.stringContaining(': found: 10.1000/a\n'), []]);
  });

  test('writes the reason once if metadata is off, and still finds the names', async () => {
    const { code, stdout, stderr } = await check(RIGHT + WRONG, [], null);
    expect(code).toBe(0);
    expect(stdout.match(/found: .* \(cannot tell whether it fits\)/g)).toHaveLength(2);
    expect(stderr.match(/The titles of 2 references could not be looked up\. .*METADATA=yes/g)).toHaveLength(
      1,
    );
  });

  test('writes "cannot tell" only for the names of a failed agency', async () => {
    const metadata = { ...METADATA, '10.1000/a': new GatewayError('UPSTREAM_UNAVAILABLE') };
    const { code, stdout, stderr } = await check(RIGHT + WRONG, [], metadata);
    expect(code).toBe(1);
    expect(stdout).toContain('found: 10.1000/a (cannot tell whether it fits)\n');
    expect(stdout).toContain('does not fit: 10.1000/b');
    expect(stderr).toContain('The titles of 1 reference could not be looked up.');
  });
});

describe('the lock file with --titles', () => {
  const DAY_MS = 86_400_000;
  const opened = async () => {
    const lock = join(await folderWith({}), 'dois.lock');
    const run = async (metadata: object | undefined, days = 0, ...more: string[]) => {
      const gateway = await fakeGateway({
        records: RECORDS,
        ...(metadata && { metadata: { ...metadata } }),
      });
      const ended = await runCli(['check', '--titles', '--lock', lock, ...more], {
        gateway,
        stdin: RIGHT + WRONG,
        now: () => NOW + days * DAY_MS,
      });
      return { ...ended, calls: gateway.calls };
    };
    return { lock, run };
  };
  const FAILING = Object.fromEntries(
    Object.keys(METADATA).map((name) => [name, new GatewayError('UPSTREAM_UNAVAILABLE')]),
  );

  test('keeps the titles, so that no look-up repeats', async () => {
    const { lock, run } = await opened();
    const first = await run(METADATA);
    expect(await readFile(lock, 'utf8')).toContain(
      '{"name":"10.1000/a","outcome":"found","asked":"2026-11-20T12:00:00Z","work":{"asked":"2026-11-20T12:00:00Z","title":"Housing prices in small island states","authors":["Okafor"],"year":2019}}\n',
    );
    const second = await run(METADATA, 29);
    const fromLock = `2 answers are from the lock file of 2026-11-20T12:00:00Z, ${lock}.\n`;
    expect(second).toMatchObject({ code: 1, stdout: first.stdout, stderr: first.stderr + fromLock });
    expect([second.calls.describe, second.calls.resolve]).toEqual([[], []]);
  });

  test('keeps the result during an outage of the agencies, and only a message changes', async () => {
    const { run } = await opened();
    const first = await run(METADATA);
    const second = await run(FAILING, 100);
    expect(second).toMatchObject({ code: first.code, stdout: first.stdout });
    expect(second.stderr).toContain('The titles of 2 references are from an older look-up.');
    // The run looked up the names again, and kept the titles.
    expect(await run(FAILING, 201)).toMatchObject({ code: first.code, stdout: first.stdout });
  });

  test('looks up only the missing titles of known names', async () => {
    const { lock, run } = await opened();
    await runCli(['check', '--lock', lock], {
      gateway: await fakeGateway({ records: RECORDS }),
      stdin: RIGHT + WRONG,
    });
    const { calls, code } = await run(METADATA);
    expect([calls.resolve, calls.describe?.length, code]).toEqual([[], 2, 1]);
  });
});
