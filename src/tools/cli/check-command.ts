// `doi check`: checks that the DOI references of files exist.

import { readFile } from 'node:fs/promises';
import { canonicalName } from 'doi-names';
import type { ReferenceEntry } from 'doi-names/parts';
import { CheckedAnswers } from './check/checked-answers.ts';
import { LockFile } from './check/lock-file.ts';
import { Check } from './check/look-up-in-batches.ts';
import { notesOn } from './check/notes.ts';
import { UnnamedReferences } from './check/unnamed-references.ts';
import { type CommandCall, defineCommand, GATEWAY_OPTIONS, UsageError } from './command.ts';
import { FILE_OPTIONS, FOLDERS_HELP } from './files/find-files.ts';
import { eachInput, referencesIn } from './find-in-input.ts';
import { OutputClosedError, StatusLine } from './output.ts';
import { givenName, problemLine } from './read-names.ts';
import { createReportedWait } from './reported-wait.ts';

const DEFAULT_MAX_AGE = '30d';

const OPTIONS = {
  ...FILE_OPTIONS,
  strict: {
    type: 'flag',
    meaning: 'Also exit with 1 for look-alikes, aliases, tombstones and expressions of concern.',
  },
  quiet: { type: 'flag', short: 'q', meaning: 'Write only the references that you should look at.' },
  titles: {
    type: 'flag',
    meaning:
      'Also look up the title of each work, and compare it with the words around the name. The outcome is fits or does not fit, or found if the words are not enough to decide. A reference that does not fit gives exit code 1.',
  },
  updates: {
    type: 'flag',
    meaning:
      'Look up the updates of the works. A work that is retracted, withdrawn or removed, even in part, gives exit code 1. Concerns, corrections and preprints that are published by now are only reported.',
  },
  accept: {
    type: 'value',
    placeholder: 'FILE',
    isFile: true,
    meaning:
      'With --updates: a file with the retracted DOIs that you want to cite, one on each line in any form. A comment begins with #.',
  },
  lock: {
    type: 'value',
    placeholder: 'FILE',
    isFile: true,
    meaning:
      'Store answers in FILE, and commit FILE with the text. The command uses a stored answer until the answer is older than --max-age. If a new look-up fails, it uses an older answer.',
  },
  'max-age': {
    type: 'value',
    placeholder: 'AGE',
    meaning: `The command looks up a name again if its stored answer has this age: 12h, 30d, 4w. With 0 it looks up all names. Default: ${DEFAULT_MAX_AGE}.`,
  },
  ...GATEWAY_OPTIONS,
  format: {
    type: 'value',
    placeholder: 'FORMAT',
    choices: ['words', 'json', 'github'],
    meaning:
      'The format of the results. github: annotations, which GitHub Actions shows beside the lines, for the references that you should look at. Default: words.',
  },
  json: {
    type: 'flag',
    meaning:
      'The same as --format json. Write one JSON object on each line: {"file", "line", "column", "name", "text", "repaired", "outcome", "asked", "reason", "meant", "isLookalike", "looksLike", "alias", "tombstone"}; "outcome" is found, absent or unknown. With --titles also {"fit", "title"}; "fit" is fits, does-not-fit, unknown, or null for a name that is not found. With --updates also {"updates", "accepted", "publishedAs"}; "updates" is {"outcome", "source", "notices"}, {"outcome": null, "reason"} if the look-up failed, or null for a name that is not found; "publishedAs" is the DOI of the published version of a preprint, or null.',
  },
} as const;

type CheckCall = CommandCall<typeof OPTIONS>;

const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** Converts a duration such as `30d`, `12h` or `2w` to milliseconds. Throws a UsageError for other text. */
function durationMs(option: string, text: string): number {
  const [, count, unit = 'd'] = /^(\d{1,6})([hdw])?$/.exec(text) ?? [];
  if (count === undefined || (text !== '0' && !/[hdw]$/.test(text))) {
    throw new UsageError(
      `--${option} cannot be "${text}". Give a number and a unit, as in 12h, 30d or 4w, or give 0.`,
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
    'The summary counts entries of lists of references that have no DOI. Without --quiet, notes name them.',
  ],
  options: OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi check --live thesis.tex references.bib',
      meaning: 'Use the live DOI system. Its operators get your address.',
    },
    {
      command: 'CONTACT=you@example.org doi check --live --lock dois.lock -q docs/*.md',
      meaning: 'In a build: if the directory does not answer, the names in dois.lock do not fail.',
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
    const wait = createReportedWait(call, () => 'doi check: some look-ups failed', status);
    const lookUpOptions = { ...call, wait, lock, maxAgeMs };
    const names = new CheckedAnswers('name', lookUpOptions);
    const check = new Check(call, {
      format: options.json ? 'json' : (options.format ?? 'words'),
      isQuiet: options.quiet,
      isStrict: options.strict,
      names,
      works: options.titles ? new CheckedAnswers('work', lookUpOptions) : null,
      updates: options.updates ? new CheckedAnswers('updates', lookUpOptions) : null,
      accepted,
      status,
    });
    const { tally } = check;
    const unnamed = new UnnamedReferences();
    let isComplete: boolean;
    try {
      const ownFiles = [options.lock, options.accept].filter((file) => file !== undefined);
      const inputs = { ...call, command: 'check', exclude: options.exclude, ownFiles };
      isComplete = await eachInput(inputs, (input) => {
        const onUnnamed = (entry: ReferenceEntry) => unnamed.add(input.name, entry);
        return check.read(referencesIn(input, { withReferences: options.titles, onUnnamed }));
      });
      await check.finish();
    } finally {
      // Stores the answers even if the call failed.
      await lock?.write();
      await status.clear().catch(() => undefined);
      await reportInterruption(call, check);
    }
    const changedNames = lock?.changedNames ?? [];
    const notes = notesOn({ tally, unnamed, names, lockFile: options.lock, changedNames });
    if (!options.quiet) notes.push(...unnamed.notes());
    await stderr.write(`${notes.join('\n')}\n`);
    return tally.exitCode(isComplete, options.strict);
  },
});

/** A DOI name can contain `#`. So a comment must begin its line, or follow white space. */
const COMMENT = /(?:^|\s)#.*$/s;

/** Resolves with the canonical names of --accept. A line has one name in any form. Rejects with a UsageError for other lines. */
async function acceptedNames({ accept: path, updates }: CheckCall['options']): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  if (path === undefined) return names;
  if (!updates) throw new UsageError('--accept is for retracted works, so it needs --updates.');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path}: the file of --accept cannot be read (${error.code}).`, { cause: error });
  });
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const input = line.replace(COMMENT, '').trim();
    if (input === '') continue;
    const given = givenName(input, false);
    if (given.name === null) throw new UsageError(`${path}:${index + 1}: ${problemLine(given)}`);
    names.add(canonicalName(given.name));
  }
  return names;
}

/** After Ctrl-C, reports the progress and where the answers are. */
async function reportInterruption({ options, signal, stderr }: CheckCall, check: Check): Promise<void> {
  if (!signal.aborted || signal.reason instanceof OutputClosedError) return;
  const lockNote = options.lock === undefined ? [] : [`The answers so far are in ${options.lock}.`];
  const lines = [`doi check: interrupted. ${check.tally.summary()}`, ...lockNote];
  await stderr.write(lines.map((line) => `${line}\n`).join(''));
}
