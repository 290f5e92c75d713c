// Vitest's JSON reports as one line. A test file that could not even be read, a skipped test and a missing report
// are failures too: otherwise they would leave "0 failed".
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const counts = process.argv.slice(2).map((path) => {
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  if (!report) console.log(`No report, which counts as failed: ${basename(path)}`);

  const skipped = report ? report.numPendingTests + report.numTodoTests : 0;
  if (skipped > 0) console.log(`Skipped, which counts as failed: ${skipped} in ${basename(path)}`);

  const unread = report?.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const failed = report ? report.numFailedTests + skipped + unread.length : 1;
  return { passed: report?.numPassedTests ?? 0, failed };
});

const sum = (of) => counts.reduce((total, count) => total + count[of], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = counts.length === 0 || sum('failed') > 0 ? 1 : 0;
