import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { Interruption } from '../../../src/tools/cli/run-doi.ts';
import { NOW, urlValue } from '../../support/fake-directory.ts';
import { type FakeGateway, fakeGateway, folderWith, runCli } from './run-cli.ts';

const URL_VALUE = [urlValue('https://example.org/')];
const DAY_MS = 86_400_000;
const TEXT = 'doi:10.1000/b 10.1000/128 10.1000/A 10.1000/old';
const RECORDS = {
  '10.1000/a': URL_VALUE,
  '10.1000/b': URL_VALUE,
  '10.1000/182': URL_VALUE,
  '10.1000/old': [{ index: 1, type: 'HS_ALIAS', data: { format: 'string', value: '10.1000/a' } }],
};

async function lockFolder(content?: string) {
  const folder = await folderWith(content === undefined ? {} : { 'dois.lock': content });
  const lock = join(folder, 'dois.lock');
  return {
    lock,
    read: () => readFile(lock, 'utf8'),
    check: (gateway: FakeGateway | undefined, days = 0, ...more: string[]) =>
      runCli(['check', '--lock', lock, ...more], {
        ...(gateway && { gateway }),
        stdin: TEXT,
        now: () => NOW + days * DAY_MS,
      }),
  };
}

/** A gateway whose look-ups fail for all names. */
const brokenGateway = () =>
  fakeGateway({
    records: Object.fromEntries(
      ['10.1000/a', '10.1000/b', '10.1000/128', '10.1000/old'].map((name) => [
        name,
        new GatewayError('UPSTREAM_UNAVAILABLE'),
      ]),
    ),
  });

describe('a lock file', () => {
  test('has each result on a line, sorted by name', async () => {
    const { check, read } = await lockFolder();
    expect(await check(await fakeGateway({ records: RECORDS }))).toMatchObject({ code: 1 });
    expect(await read()).toBe(
      [
        '{"name":"10.1000/128","outcome":"absent","asked":"2026-11-20T12:00:00Z","meant":["10.1000/182"]}',
        '{"name":"10.1000/a","outcome":"found","asked":"2026-11-20T12:00:00Z"}',
        '{"name":"10.1000/b","outcome":"found","asked":"2026-11-20T12:00:00Z"}',
        '{"name":"10.1000/old","outcome":"found","asked":"2026-11-20T12:00:00Z","alias":"10.1000/a"}',
        '',
      ].join('\n'),
    );
  });

  test('changes in a weekly run only the lines of changed results, and the run lists the changes', async () => {
    const { check, read } = await lockFolder();
    await check(await fakeGateway({ records: RECORDS }));
    const before = (await read()).split('\n');
    const changed = { ...RECORDS, '10.1000/128': URL_VALUE };
    const { stderr } = await check(await fakeGateway({ records: changed }), 7, '--max-age', '0');
    expect(stderr).toContain('1 answer changed: 10.1000/128\n');
    const after = (await read()).split('\n');
    expect(after.filter((line, index) => line !== before[index])).toEqual([
      '{"name":"10.1000/128","outcome":"found","asked":"2026-11-27T12:00:00Z"}',
    ]);
    // A later weekly run also renews the dates of other results, before they pass the default --max-age.
    await check(await fakeGateway({ records: changed }), 28, '--max-age', '0');
    expect(await read()).toContain('{"name":"10.1000/a","outcome":"found","asked":"2026-12-18T12:00:00Z"}');
  });

  test('replaces the gateway, with the same output, until it is older than --max-age', async () => {
    const { lock, check, read } = await lockFolder();
    const first = await check(await fakeGateway({ records: RECORDS }));
    const kept = await read();
    const second = await check(undefined, 29);
    expect(second).toMatchObject({ code: 1, stdout: first.stdout });
    expect(second.stderr).toBe(
      `${first.stderr}4 answers are from the lock file of 2026-11-20T12:00:00Z, ${lock}.\n`,
    );
    expect(await read()).toBe(kept);

    const later = await fakeGateway({ records: { ...RECORDS, '10.1000/128': URL_VALUE } });
    expect(await check(later, 30)).toMatchObject({ code: 0 });
    expect(await read()).toContain(
      '{"name":"10.1000/128","outcome":"found","asked":"2026-12-20T12:00:00Z"}\n',
    );
  });

  test.each([
    ['0', 0, true],
    ['2d', 1, false],
    ['1d', 1, true],
    ['23h', 1, true],
    ['1w', 6, false],
  ])('with --max-age %s after %i days is looked up again: %j', async (age, days, isLookedUp) => {
    const { check } = await lockFolder();
    await check(await fakeGateway({ records: RECORDS }));
    const gateway = await fakeGateway({ records: RECORDS });
    await check(gateway, days, '--max-age', age);
    expect(gateway.calls.resolve.length > 0).toBe(isLookedUp);
  });

  test.each(['', '3', '3m', '-1d', '1.5d', 'x'])('refuses --max-age %j', async (age) => {
    const { check } = await lockFolder();
    const ended = await check(undefined, 0, `--max-age=${age}`);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('--max-age cannot be');
  });

  test('is used, with a message, if the look-ups fail', async () => {
    const { check, read } = await lockFolder();
    await check(await fakeGateway({ records: RECORDS }));
    const kept = await read();
    const { code, stdout, stderr } = await check(await brokenGateway(), 100);
    expect(code).toBe(1);
    expect(stdout).toContain('found: 10.1000/b (answer of 2026-11-20. The directory is down. Try again.)\n');
    expect(stdout).toContain('absent: 10.1000/128 (did you mean 10.1000/182?; answer of 2026-11-20.');
    expect(stderr).toContain('4 answers of');
    expect(await read()).toBe(kept);
  });

  test('has the results that were known before an interruption', async () => {
    const { lock, read } = await lockFolder();
    const names = Array.from({ length: 150 }, (_, index) => `10.1000/n${index}`);
    const gateway = await fakeGateway({
      records: Object.fromEntries(names.map((name) => [name, URL_VALUE])),
    });
    const stop = new AbortController();
    let operations = 0;
    const ended = await runCli(['check', '--lock', lock], {
      gateway: {
        ...gateway,
        send(query, variables, signal) {
          operations += 1;
          if (operations <= 3) return gateway.send(query, variables, signal);
          stop.abort(new Interruption(2));
          return Promise.reject(signal?.reason);
        },
      },
      stdin: names.join('\n'),
      signal: stop.signal,
    });
    expect(ended.code).toBe(130);
    // The finished batches have 10, 20 and 40 names.
    expect((await read()).trim().split('\n')).toHaveLength(70);
    expect(ended.stderr).toBe(
      `doi check: interrupted. 70 references: 70 found, 0 absent, 0 cannot tell\nThe answers so far are in ${lock}.\n`,
    );
  });

  test('has the found names if an interruption comes during a retry', async () => {
    const { lock, read } = await lockFolder();
    const records = { '10.1000/a': URL_VALUE, '10.1000/down': new GatewayError('UPSTREAM_UNAVAILABLE') };
    const stop = new AbortController();
    const ended = await runCli(['check', '--lock', lock], {
      gateway: await fakeGateway({ records }),
      stdin: '10.1000/a 10.1000/down 10.1000/none',
      signal: stop.signal,
      wait(_, signal) {
        stop.abort(new Interruption(2));
        return Promise.reject(signal.reason);
      },
    });
    expect(ended.code).toBe(130);
    // The suggestions for the absent name are not known yet.
    expect(await read()).toMatch(/^\{"name":"10\.1000\/a","outcome":"found",[^\n]*\}\n$/);
  });

  test('does not replace the look-up of a name that it lacks', async () => {
    const { check } = await lockFolder(
      '{"name":"10.1000/a","outcome":"found","asked":"2026-01-01T00:00:00Z"}\n',
    );
    const { code, stdout } = await check(await brokenGateway());
    expect(code).toBe(3);
    expect(stdout).toContain('cannot tell: 10.1000/b');
    expect(stdout).toContain('found: 10.1000/A (answer of 2026-01-01.');
  });

  test('keeps names that are only in other texts', async () => {
    const other = '{"name":"10.9/other","outcome":"found","asked":"2026-01-01T00:00:00Z"}\n';
    const { check, read } = await lockFolder(other);
    await check(await fakeGateway({ records: RECORDS }));
    expect(await read()).toContain(other);
  });

  test('gets no results of the bundled sample', async () => {
    const { check, read } = await lockFolder();
    const { stderr } = await check(await fakeGateway({ records: RECORDS }, { isSample: true }));
    expect(stderr).toContain('Answers of the bundled sample are not stored in');
    await expect(read()).rejects.toThrow('ENOENT');
  });

  test('ignores results from the future', async () => {
    const { check } = await lockFolder(
      '{"name":"10.1000/a","outcome":"absent","asked":"2030-01-01T00:00:00Z"}\n',
    );
    expect((await check(await fakeGateway({ records: RECORDS }))).stdout).toContain('found: 10.1000/A\n');
  });

  const FOUND = '{"name":"10.1/a","outcome":"found","asked":"2026-01-01T00:00:00Z"';

  test.each([
    ['<<<<<<< HEAD'],
    ['{"name":"10.1/a"}'],
    ['{"name":"10.1/a","outcome":"unknown","asked":"2026-01-01T00:00:00Z"}'],
    ['{"name":"10.1/a","outcome":"found","asked":"yesterday"}'],
    ['{"name":"10.1/a","outcome":"found","asked":"2026-01-01T00:00:00Z","meant":"10.1/b"}'],
    ['null'],
    [`${FOUND},"work":{"asked":"yesterday","title":null,"authors":[],"year":null}}`],
    [`${FOUND},"work":{"title":"T"}}`],
    [`${FOUND},"work":3}`],
    [`${FOUND},"updates":5}`],
    [`${FOUND},"updates":{"asked":"2026-11-20T12:00:00Z","outcome":"FINE","source":"x","notices":[]}}`],
    [
      `${FOUND},"updates":{"asked":"2026-11-20T12:00:00Z","outcome":"RETRACTED","source":"x","notices":[{}]}}`,
    ],
    [`${FOUND},"updates":{"outcome":"RETRACTED","source":"x","notices":[]}}`],
  ])('is refused if it has an invalid line: %s', async (line) => {
    const { check, lock, read } = await lockFolder(`\n${line}\n`);
    const ended = await check(undefined);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`${lock}:2: this is not a line of a lock file.`);
    expect(await read()).toContain(line);
  });

  test('causes an error if it cannot be written', async () => {
    const folder = await folderWith({});
    const { code, stderr } = await runCli(['check', '--lock', join(folder, 'none', 'dois.lock')], {
      gateway: await fakeGateway({ records: RECORDS }),
      stdin: TEXT,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('the lock file cannot be written (ENOENT)');
  });
});
