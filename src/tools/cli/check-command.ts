// `doi check`: whether the references of a text exist.

import { NAMED_WORK, WORK_UPDATES } from '../gateway-client/look-up-works.ts';
import { readAcceptedNames } from './check/accepted-names.ts';
import { WorkAnswers } from './check/answer-works.ts';
import { Check } from './check/check.ts';
import { CHECK_OPTIONS, type CheckCall, DEFAULT_MAX_AGE } from './check/check-options.ts';
import { LockFile } from './check/lock-file.ts';
import { NameAnswers } from './check/name-answers.ts';
import { type CommandCall, defineCommand, UsageError } from './command.ts';
import { FOLDERS } from './files/find-files.ts';
import { eachInput, referencesIn } from './find-in-input.ts';
import { OutputClosedError, StatusLine } from './output.ts';

const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** Milliseconds of a duration such as `30d`, `12h` or `2w`. Throws a UsageError for other text. */
function ageOf(option: string, text: string): number {
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
    'Finds the DOI names as doi find does, looks each up once, and writes FILE:LINE:COLUMN: OUTCOME: NAME. The outcome is found, absent (with the name that was probably meant), or cannot tell, where the directory could not be asked: that is never taken for absence.',
    FOLDERS,
    'Beside it stands what is worth a look: a look-alike, whose characters are not what they seem; an alias, for which another name stands; a tombstone, which leads to a page that says the content is gone. No page is ever fetched.',
  ],
  options: CHECK_OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi check --live thesis.tex references.bib',
      meaning: 'Ask the live DOI system, with your address for its operators.',
    },
    {
      command: 'CONTACT=you@example.org doi check --live --lock dois.lock -q docs/*.md',
      meaning: 'In a build: names in dois.lock do not fail in an outage of the directory.',
    },
    {
      command: 'doi check --live --format github --exclude vendor .',
      meaning: 'In GitHub Actions: all text files of the repository, annotated.',
    },
    {
      command: 'doi check --gateway https://doi.example.org --json < thesis.tex',
      meaning: 'Ask a running gateway; JSON Lines for a program.',
    },
  ],
  exitCodes: {
    0: 'All references are found. Where the words around a name do not show whether it fits, the exit code does not change.',
    1: 'Some are absent, with --titles do not fit, or with --updates are retracted and not in --accept.',
    3: 'Some could not be asked, with --updates also what became of them; this comes before 1.',
  },
  async run(call) {
    const { options, stderr } = call;
    const maxAgeMs = ageOf('max-age', options['max-age'] ?? DEFAULT_MAX_AGE);
    const lock = options.lock === undefined ? null : await LockFile.read(options.lock);
    const accepted = await acceptedNames(options);
    const status = new StatusLine(stderr, call.now);
    const answering = { ...call, wait: reportedWait(call, status), lock, maxAgeMs };
    const check = new Check(call, {
      answers: new NameAnswers(answering),
      works: options.titles ? new WorkAnswers('work', NAMED_WORK, answering) : null,
      updates: options.updates ? new WorkAnswers('updates', WORK_UPDATES, answering) : null,
      accepted,
      status,
    });
    let isWhole: boolean;
    try {
      const leftOut = [options.lock, options.accept].filter((file) => file !== undefined);
      const inputs = { ...call, command: 'check', exclude: options.exclude, leftOut };
      isWhole = await eachInput(inputs, (input) => check.read(referencesIn(input, options.titles)));
      await check.settle();
    } finally {
      // Keeps the answers even if the call failed.
      await lock?.write();
      await status.clear().catch(() => undefined);
      await reportInterruption(call, check);
    }
    await stderr.write(`${check.notes(options.lock).join('\n')}\n`);
    return check.tally.exitCode(isWhole, options.strict);
  },
});

async function acceptedNames({ accept, updates }: CheckCall['options']): Promise<ReadonlySet<string>> {
  if (accept === undefined) return new Set();
  if (!updates) throw new UsageError('--accept is for retracted works, so it needs --updates.');
  return readAcceptedNames(accept);
}

/** Reports the progress, and that the check can continue from the lock file. */
async function reportInterruption({ options, signal, stderr }: CheckCall, check: Check): Promise<void> {
  if (!signal.aborted || signal.reason instanceof OutputClosedError) return;
  const kept = options.lock === undefined ? [] : [`What was answered is kept in ${options.lock}.`];
  const lines = [`doi check: interrupted. ${check.tally.summary()}`, ...kept];
  await stderr.write(lines.map((line) => `${line}\n`).join(''));
}

/** Longer waits are reported. */
const SHORT_WAIT_MS = 5_000;

function reportedWait(
  { stderr, wait }: Pick<CommandCall, 'stderr' | 'wait'>,
  status: StatusLine,
): CommandCall['wait'] {
  return async (ms) => {
    if (ms > SHORT_WAIT_MS) {
      await status.clear();
      await stderr.write(
        `doi check: some names could not be asked; once more in ${Math.round(ms / 1_000)} s.\n`,
      );
    }
    await wait(ms);
  };
}
