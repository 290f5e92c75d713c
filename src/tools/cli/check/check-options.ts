// The options of `doi check`.

import { type CommandCall, GATEWAY_OPTIONS } from '../command.ts';
import { FILE_OPTIONS } from '../files/find-files.ts';

export const DEFAULT_MAX_AGE = '30d';

export const CHECK_OPTIONS = {
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
      'Look up the updates of the works. A work that is retracted, withdrawn or removed, even in part, gives exit code 1. Concerns and corrections are only reported.',
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
      'The same as --format json. Write one JSON object on each line: {"file", "line", "column", "name", "text", "repaired", "outcome", "asked", "reason", "meant", "isLookalike", "looksLike", "alias", "tombstone"}; "outcome" is found, absent or unknown. With --titles also {"fit", "title"}; "fit" is fits, does-not-fit, unknown, or null for a name that is not found. With --updates also {"updates", "accepted"}; "updates" is {"outcome", "source", "notices"}, {"outcome": null, "reason"} if the look-up failed, or null for a name that is not found.',
  },
} as const;

export type CheckCall = CommandCall<typeof CHECK_OPTIONS>;
