// `doi check`: checks that the DOI references of files exist.

import { NAMED_WORK, WORK_UPDATES } from '../gateway-client/look-up-works.ts';
import { readAcceptedNames } from './check/accepted-names.ts';
import { Check } from './check/check.ts';
import { CHECK_OPTIONS, type CheckCall, DEFAULT_MAX_AGE } from './check/check-options.ts';
import { CheckedNames } from './check/checked-names.ts';
import { CheckedWorks } from './check/checked-works.ts';
import { LockFile } from './check/lock-file.ts';
import { type CommandCall, defineCommand, UsageError } from './command.ts';
import { FOLDERS_HELP } from './files/find-files.ts';
import { eachInput, referencesIn } from './find-in-input.ts';
import { OutputClosedError, StatusLine } from './output.ts';

const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** Converts a duration such as `30d`, `12h` or `2w` to milliseconds. Throws a UsageError for other text. */
function durationMs(option: string, text: string): number {
  const [, count, unit = 'd'] = /^(\d{1,6})([hdw])?$/.exec(text) ?? [];
  if (count === undefined || (text !== '0' && !/[hdw]$/.test(text))) {
    throw new UsageError(
      `--${option} must be a number and a unit, as in 12h, 30d or 4w, or 0; "${text}" is not.`,
    );
  }
  return Number(count) * (UNITS_MS[unit] ?? 0);
}

export const checkCommand = defineCommand({
  name: 'check',
  summary: 'check that the DOI references of files exist',
  operands: '[FILE|FOLDER…]',
  about: [
    'Finds the DOI names as doi find does, looks up each name once, and writes FILE:LINE:COLUMN: OUTCOME: NAME. The outcome is found, absent (with the name that was probably meant), or cannot tell. Cannot tell means that the look-up failed: the name might exist.',
    FOLDERS_HELP,
    'It also marks names that you should look at. look-alike: a character looks like another character. alias: the name is an alias of another name. tombstone: the name leads to a page which says that the content is gone. The command fetches no pages.',
  ],
  options: CHECK_OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi check --live thesis.tex references.bib',
      meaning: 'Use the live DOI system. Its operators get your address.',
    },
    {
      command: 'CONTACT=you@example.org doi check --live --lock dois.lock -q docs/*.md',
      meaning: 'In a build: names in dois.lock do not fail if the directory does not answer.',
    },
    {
      command: 'doi check --live --format github --exclude vendor .',
      meaning: 'In GitHub Actions: check all text files of the repository and annotate them.',
    },
    {
      command: 'doi check --gateway https://doi.example.org --json < thesis.tex',
      meaning: 'Use a running gateway, and write JSON Lines for a program.',
    },
  ],
  exitCodes: {
    0: 'All references are found. With --titles, a name for which the fit is unknown does not change the exit code.',
    1: 'A reference is absent, does not fit (--titles), or is retracted and not in --accept (--updates).',
    3: 'A look-up of a name failed, or a look-up of its updates (--updates). This code has priority over 1.',
  },
  async run(call) {
    const { options, stderr } = call;
    const maxAgeMs = durationMs('max-age', options['max-age'] ?? DEFAULT_MAX_AGE);
    const lock = options.lock === undefined ? null : await LockFile.read(options.lock);
    const accepted = await acceptedNames(options);
    const status = new StatusLine(stderr, call.now);
    const lookUpOptions = { ...call, wait: reportedWait(call, status), lock, maxAgeMs };
    const check = new Check(call, {
      answers: new CheckedNames(lookUpOptions),
      works: options.titles ? new CheckedWorks('work', NAMED_WORK, lookUpOptions) : null,
      updates: options.updates ? new CheckedWorks('updates', WORK_UPDATES, lookUpOptions) : null,
      accepted,
      status,
    });
    let isComplete: boolean;
    try {
      const ownFiles = [options.lock, options.accept].filter((file) => file !== undefined);
      const inputs = { ...call, command: 'check', exclude: options.exclude, ownFiles };
      isComplete = await eachInput(inputs, (input) => check.read(referencesIn(input, options.titles)));
      await check.finishBatch();
    } finally {
      // Stores the answers even if the call failed.
      await lock?.write();
      await status.clear().catch(() => undefined);
      await reportInterruption(call, check);
    }
    await stderr.write(`${check.notes(options.lock).join('\n')}\n`);
    return check.tally.exitCode(isComplete, options.strict);
  },
});

async function acceptedNames({ accept, updates }: CheckCall['options']): Promise<ReadonlySet<string>> {
  if (accept === undefined) return new Set();
  if (!updates) throw new UsageError('--accept is for retracted works, so it needs --updates.');
  return readAcceptedNames(accept);
}

/** After Ctrl-C, reports the progress and where the answers are. */
async function reportInterruption({ options, signal, stderr }: CheckCall, check: Check): Promise<void> {
  if (!signal.aborted || signal.reason instanceof OutputClosedError) return;
  const lockNote = options.lock === undefined ? [] : [`The answers so far are in ${options.lock}.`];
  const lines = [`doi check: interrupted. ${check.tally.summary()}`, ...lockNote];
  await stderr.write(lines.map((line) => `${line}\n`).join(''));
}

const MIN_REPORTED_WAIT_MS = 5_000;

function reportedWait(
  { stderr, wait }: Pick<CommandCall, 'stderr' | 'wait'>,
  status: StatusLine,
): CommandCall['wait'] {
  return async (ms) => {
    if (ms > MIN_REPORTED_WAIT_MS) {
      await status.clear();
      await stderr.write(`doi check: some look-ups failed; next try in ${Math.round(ms / 1_000)} s.\n`);
    }
    await wait(ms);
  };
}
