// `doi check` over a thesis with real, mistyped and invented references, also during an outage.

import { join } from 'node:path';
import { canonicalName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createRecord } from '../../../src/handle/record.ts';
import { SUCCESS } from '../../../src/handle/response-codes.ts';
import { doiName } from '../../support/doi-names.ts';
import { type FakeDirectoryOptions, NOW, urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, jsonLines, runCli } from './run-cli.ts';
import { type Thesis, writeThesis } from './thesis.ts';

interface Line {
  readonly name: string;
  readonly outcome: string;
  readonly meant: readonly string[];
  readonly isLookalike: boolean;
}

const linesOf = (stdout: string) => jsonLines<Line>(stdout);

function recordsOf({ registered }: Thesis): NonNullable<FakeDirectoryOptions['records']> {
  return Object.fromEntries(
    registered.map((name) => [canonicalName(doiName(name)), [urlValue('https://example.org/')]]),
  );
}

/** A directory that fails after some look-ups. */
function stoppedAfter(lookUps: number, thesis: Thesis): NonNullable<FakeDirectoryOptions['records']> {
  let left = lookUps;
  return Object.fromEntries(
    Object.keys(recordsOf(thesis)).map((canonical) => [
      canonical,
      async (handle) => {
        left -= 1;
        if (left < 0) throw new GatewayError('UPSTREAM_UNAVAILABLE');
        return createRecord({ responseCode: SUCCESS, handle, values: [], fetchedAt: NOW });
      },
    ]),
  );
}

describe.each([1, 2])('a thesis of 400 references (%i)', (seed) => {
  const thesis = writeThesis(seed);

  test('has no absent outcome for real references, and right suggestions for nearly all mistyped references', async () => {
    const gateway = await fakeGateway({ records: recordsOf(thesis) });
    const { code, stdout } = await runCli(['check', '--json'], { gateway, stdin: thesis.text });
    const lines = linesOf(stdout);
    expect(code).toBe(1);
    expect(lines).toHaveLength(400);

    const outcomes = new Map(lines.map((line) => [canonicalName(doiName(line.name)), line]));
    const lineOf = (name: string) => outcomes.get(canonicalName(doiName(name)));
    expect(thesis.real.filter((name) => lineOf(name)?.outcome !== 'found')).toEqual([]);
    expect(thesis.invented.map((name) => lineOf(name)?.outcome)).toEqual(Array(10).fill('absent'));
    expect(thesis.lookalikes.map((name) => lineOf(name)?.isLookalike)).toEqual(Array(10).fill(true));
    const isSame = (a: string, b: string) => canonicalName(doiName(a)) === canonicalName(doiName(b));
    const offered = thesis.mistyped.filter(({ intended }) =>
      lines.some((line) => [line.name, ...line.meant].some((name) => isSame(name, intended))),
    );
    expect(offered.length).toBeGreaterThanOrEqual(18);
  });
});

describe('an outage while a thesis is checked', () => {
  const thesis = writeThesis(1);

  test('gives "cannot tell" and exit code 3 without a lock file', async () => {
    const gateway = await fakeGateway({ records: stoppedAfter(150, thesis) });
    const { code, stdout } = await runCli(['check', '--json'], { gateway, stdin: thesis.text });
    const lines = linesOf(stdout);
    expect(code).toBe(3);
    expect(lines).toHaveLength(400);
    expect(lines.filter(({ outcome }) => outcome === 'found').length).toBeGreaterThan(100);
    const absent = new Set(lines.filter(({ outcome }) => outcome === 'absent').map(({ name }) => name));
    expect(thesis.real.filter((name) => absent.has(name))).toEqual([]);
  });

  test('changes nothing with a lock file', async () => {
    const lock = join(await folderWith({}), 'dois.lock');
    const check = async (records: NonNullable<FakeDirectoryOptions['records']>) =>
      runCli(['check', '--json', '--lock', lock, '--max-age', '0'], {
        gateway: await fakeGateway({ records }),
        stdin: thesis.text,
      });
    const outcomes = ({ stdout }: { stdout: string }) =>
      linesOf(stdout).map(({ name, outcome }) => [name, outcome]);
    const before = await check(recordsOf(thesis));
    const during = await check(stoppedAfter(150, thesis));
    expect(during.code).toBe(before.code);
    expect(outcomes(during)).toEqual(outcomes(before));
  });
});
