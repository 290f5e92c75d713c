// `doi check`: checks that the DOI references of files exist.

import { readFile } from 'node:fs/promises';
import { canonicalName } from 'doi-names';
import type { ReferenceEntry } from 'doi-names/parts';
import { NOT_FOUND_MEANS } from '../gateway-client/match-references.ts';
import { isReferenceKey } from '../gateway-client/searched-words.ts';
import { CheckedAnswers } from './check/checked-answers.ts';
import { LockFile } from './check/lock-file.ts';
import { Check } from './check/look-up-in-batches.ts';
import { notesOn } from './check/notes.ts';
import { UnnamedReferences } from './check/unnamed-references.ts';
import { UnnamedSearch } from './check/unnamed-search.ts';
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
      'A file with the retracted DOIs that you want to cite (--updates), one on each line in any form, and with the keys of references that you know (--match). A comment begins with #.',
  },
  match: {
    type: 'flag',
    meaning:
      'Also search at Crossref and DataCite, by words, for the works of references without a DOI, and for the right DOI of references whose DOI is absent or does not fit. The outcome is found, differs, several, not found, or cannot tell if the search failed. Only these words leave the gateway. Includes --titles.',
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
    meaning: `The command looks up a name, or searches a reference, again if its stored answer has this age: 12h, 30d, 4w. With 0 it looks up all. Default: ${DEFAULT_MAX_AGE}.`,
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
      'The same as --format json. Write one JSON object on each line: {"file", "line", "column", "name", "text", "repaired", "outcome", "asked", "reason", "meant", "isLookalike", "looksLike", "alias", "tombstone"}; "outcome" is found, absent or unknown. With --titles also {"fit", "title"}; "fit" is fits, does-not-fit, unknown, or null for a name that is not found. With --updates also {"updates", "accepted", "publishedAs"}; "updates" is {"outcome", "source", "notices"}, {"outcome": null, "reason"} if the look-up failed, or null for a name that is not found; "publishedAs" is the DOI of the published version of a preprint, or null. With --match also {"match"}: {"outcome", "doi", "agrees", "differs", "candidates", "sources", "asked", "reason", "key", "accepted"}, or null if nothing was searched; "outcome" is found, differs, several, not-found or unknown. A reference without a DOI has a line in which "name" and "outcome" are null, and "text" is the reference.',
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
    'The summary counts entries of lists of references that have no DOI. Without --quiet, notes name them. With --match, the results have them.',
    NOT_FOUND_MEANS,
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
      command: 'CONTACT=you@example.org doi check --live --match --lock dois.lock thesis.tex',
      meaning: 'Find missing DOIs, and right ones for wrong ones. The next call searches nothing again.',
    },
    {
      command: 'doi check --gateway https://doi.example.org --json < thesis.tex',
      meaning: 'Use a running gateway, and write JSON Lines for a program.',
    },
  ],
  exitCodes: {
    0: 'All references are found. With --titles, a name for which the fit is unknown does not change the exit code. With --match, too few words for a search do not change it.',
    1: 'A reference is absent, does not fit (--titles), or is retracted and not in --accept (--updates). With --match: a reference without a DOI differs, is several or is not found, and its key is not in --accept.',
    3: 'A look-up of a name failed, a look-up of its updates (--updates), or a search (--match), also because the gateway does not search. This code has priority over 1.',
  },
  async run(call) {
    const { options, stderr } = call;
    const maxAgeMs = durationMs('max-age', options['max-age'] ?? DEFAULT_MAX_AGE);
    const lock = options.lock === undefined ? null : await LockFile.read(options.lock);
    const accepted = await acceptedKeys(options);
    const status = new StatusLine(stderr, call.now);
    const wait = createReportedWait(call, () => 'doi check: some look-ups failed', status);
    const lookUpOptions = { ...call, wait, lock, maxAgeMs };
    const names = new CheckedAnswers('name', lookUpOptions);
    const waitForAgencies = createReportedWait(call, () => 'doi check: the agencies are busy', status);
    const matches = options.match
      ? new CheckedAnswers('match', { ...lookUpOptions, wait: waitForAgencies })
      : null;
    const shared = {
      format: options.json ? 'json' : (options.format ?? 'words'),
      isQuiet: options.quiet,
      accepted,
      status,
    } as const;
    const check = new Check(call, {
      ...shared,
      isStrict: options.strict,
      names,
      matches,
      works: options.titles || options.match ? new CheckedAnswers('work', lookUpOptions) : null,
      updates: options.updates ? new CheckedAnswers('updates', lookUpOptions) : null,
    });
    const { tally } = check;
    const unnamed = new UnnamedReferences();
    const search = matches && new UnnamedSearch(call, { ...shared, matches, tally });
    let isComplete: boolean;
    try {
      const ownFiles = [options.lock, options.accept].filter((file) => file !== undefined);
      const inputs = { ...call, command: 'check', exclude: options.exclude, ownFiles };
      isComplete = await eachInput(inputs, async (input) => {
        const onUnnamed = (entry: ReferenceEntry): void => {
          if (search?.add(input.name, entry)) unnamed.addSearched();
          else unnamed.add(input.name, entry);
        };
        const withReferences = options.titles || options.match;
        await check.read(referencesIn(input, { withReferences, onUnnamed }));
        await search?.searchFull();
      });
      await check.finish();
      await search?.finish();
    } finally {
      // Stores the answers even if the call failed.
      await lock?.write();
      await status.clear().catch(() => undefined);
      await reportInterruption(call, check);
    }
    const changedAnswers = lock?.changedAnswers ?? [];
    const notes = notesOn({ tally, unnamed, names, matches, lockFile: options.lock, changedAnswers });
    if (!options.quiet) notes.push(...unnamed.notes());
    await stderr.write(`${notes.join('\n')}\n`);
    return tally.exitCode(isComplete, options.strict);
  },
});

/** A DOI name can contain `#`. So a comment must begin its line, or follow white space. */
const COMMENT = /(?:^|\s)#.*$/s;

/**
 * Resolves with the canonical names and the keys of --accept. A line has a name in any form, or the key of a reference.
 * Rejects with a UsageError for other lines.
 */
async function acceptedKeys({
  accept: path,
  updates,
  match,
}: CheckCall['options']): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  if (path === undefined) return keys;
  if (!updates && !match) {
    throw new UsageError(
      '--accept is for retracted works and for references in words, so it needs --updates or --match.',
    );
  }
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path}: the file of --accept cannot be read (${error.code}).`, { cause: error });
  });
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const input = line.replace(COMMENT, '').trim();
    if (input === '') continue;
    if (isReferenceKey(input)) {
      keys.add(input);
      continue;
    }
    const given = givenName(input, false);
    if (given.name === null) throw new UsageError(`${path}:${index + 1}: ${problemLine(given)}`);
    keys.add(canonicalName(given.name));
  }
  return keys;
}

/** After Ctrl-C, reports the progress and where the answers are. */
async function reportInterruption({ options, signal, stderr }: CheckCall, check: Check): Promise<void> {
  if (!signal.aborted || signal.reason instanceof OutputClosedError) return;
  const lockNote = options.lock === undefined ? [] : [`The answers so far are in ${options.lock}.`];
  const lines = [`doi check: interrupted. ${check.tally.summary()}`, ...lockNote];
  await stderr.write(lines.map((line) => `${line}\n`).join(''));
}
