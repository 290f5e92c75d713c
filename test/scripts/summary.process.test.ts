// The summary at the end of CI.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

interface FileReport {
  readonly status?: string;
  readonly message?: string;
  readonly tests?: readonly Readonly<Record<string, unknown>>[];
}

/** The output for reports with these names. Null is a missing report. */
function summaryOf(reports: Readonly<Record<string, FileReport | null>>) {
  const folder = mkdtempSync(join(tmpdir(), 'doi-gateway-summary-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = Object.entries(reports).map(([name, report]) => {
    const path = join(folder, name);
    const { status = 'passed', message = '', tests = [] } = report ?? {};
    const assertionResults = tests.map((result) => ({
      status: 'passed',
      ancestorTitles: ['a part'],
      title: 'a test',
      failureMessages: [],
      ...result,
    }));
    const numPassedTests = assertionResults.filter((result) => result.status === 'passed').length;
    const file = { name: join(ROOT, 'test/a.test.ts'), status, message, assertionResults };
    if (report) writeFileSync(path, JSON.stringify({ numPassedTests, testResults: [file] }));
    return path;
  });
  const { status, stdout } = spawnSync(process.execPath, ['.ci/summary.mjs', ...paths], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

test('the summary counts all tests of all versions', () => {
  const tests = [{}, {}];
  expect(summaryOf({ 'tests.json': { tests }, 'tests-v24.1.0.json': { tests } })).toEqual({
    status: 0,
    lines: ['4 passed, 0 failed'],
  });
});

test('the summary names each failed test with its file, its Node, and the start of its message', () => {
  const message = `\u001b[31mError\u001b[39m: it is 1\n\n  - 2\n  + 1\n  at a\n  at b`;
  const failed = { status: 'failed', failureMessages: [message] };
  expect(summaryOf({ 'tests-v24.1.0.json': { status: 'failed', tests: [{}, failed] } })).toEqual({
    status: 1,
    lines: [
      'FAILED, Node v24.1.0: test/a.test.ts > a part > a test',
      '    Error: it is 1',
      '      - 2',
      '      + 1',
      '      at a',
      '1 passed, 1 failed',
    ],
  });
});

test('a file that cannot be read, a skipped test and a missing report count as failed', () => {
  const { status, lines } = summaryOf({
    'tests.json': { status: 'failed', message: 'SyntaxError: no', tests: [{ status: 'pending' }] },
    'tests-v24.1.0.json': null,
  });
  expect([status, lines]).toEqual([
    1,
    [
      `FAILED, Node ${process.version}: test/a.test.ts`,
      '    SyntaxError: no',
      `SKIPPED, which counts as failed, Node ${process.version}: test/a.test.ts > a part > a test`,
      'FAILED, Node v24.1.0: no report tests-v24.1.0.json',
      '0 passed, 3 failed',
    ],
  ]);
});

test('a summary without reports is not a success', () => {
  expect(summaryOf({})).toEqual({ status: 1, lines: ['0 passed, 0 failed'] });
});

test('the summary lists the first twenty failures', () => {
  const tests = Array.from({ length: 23 }, (_, n) => ({ status: 'failed', title: String(n) }));
  const { lines } = summaryOf({ 'tests.json': { status: 'failed', tests } });
  expect(lines.slice(-3)).toEqual([
    expect.stringContaining('a part > 19'),
    'And 3 more.',
    '0 passed, 23 failed',
  ]);
});
