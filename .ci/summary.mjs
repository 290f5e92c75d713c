// Vitest's JSON reports in a few lines: each test that failed, and at the end how many passed and failed. A test file
// that could not even be read, a skipped test and a missing report are failures too: otherwise they would leave "0 failed".
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What is kept of a run's output is its end. */
const MOST_TOLD = 20;
const LINES_TOLD = 4;
const LINE_CHARACTERS = 200;

const reports = process.argv.slice(2).map(readReport);
const failures = reports.flatMap(({ failures }) => failures);
for (const failure of failures.slice(0, MOST_TOLD)) console.log(failure);
if (failures.length > MOST_TOLD) console.log(`And ${failures.length - MOST_TOLD} more.`);

const passed = reports.reduce((sum, report) => sum + report.passed, 0);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = reports.length === 0 || failures.length > 0 ? 1 : 0;

function readReport(path) {
  // tests-v20.19.0.json, or tests.json of the machine's own.
  const node = `Node ${/-(v[\d.]+)\.json$/.exec(path)?.[1] ?? process.version}`;
  if (!existsSync(path)) return { passed: 0, failures: [`FAILED, ${node}: no report ${basename(path)}`] };
  const { numPassedTests, testResults } = JSON.parse(readFileSync(path, 'utf8'));
  return { passed: numPassedTests, failures: testResults.flatMap((file) => failuresOf(file, node)) };
}

function failuresOf({ name, status, message, assertionResults }, node) {
  const file = relative(process.cwd(), name);
  const notPassed = assertionResults.filter((test) => test.status !== 'passed');
  // What a file fails with outside its tests is no test's failure.
  const isFileAtFault = status === 'failed' && !notPassed.some((test) => test.status === 'failed');
  return [
    ...(isFileAtFault ? [`FAILED, ${node}: ${file}${firstLines([message])}`] : []),
    ...notPassed.map(({ ancestorTitles, title, status, failureMessages }) => {
      const what = status === 'failed' ? 'FAILED' : 'SKIPPED, which counts as failed';
      return `${what}, ${node}: ${file} > ${[...ancestorTitles, title].join(' > ')}${firstLines(failureMessages)}`;
    }),
  ];
}

function firstLines([message] = []) {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines
    .slice(0, LINES_TOLD)
    .map((line) => `\n    ${line.slice(0, LINE_CHARACTERS)}`)
    .join('');
}
