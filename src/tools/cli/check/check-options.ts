// The options of `doi check`.

import { type CommandCall, GATEWAY_OPTIONS } from '../command.ts';
import { FILE_OPTIONS } from '../files/find-files.ts';

export const DEFAULT_MAX_AGE = '30d';

export const CHECK_OPTIONS = {
  ...FILE_OPTIONS,
  strict: { type: 'flag', meaning: 'Also exit with 1 for look-alikes, aliases, tombstones and concerns.' },
  quiet: { type: 'flag', short: 'q', meaning: 'Write only the references that need a look.' },
  titles: {
    type: 'flag',
    meaning:
      'Also look up the title of each work, and compare it with the words around the name. The outcome is fits or does not fit, or found if the words do not show it. A reference that does not fit counts as absent.',
  },
  updates: {
    type: 'flag',
    meaning:
      'Look up the updates of the works. A work that is retracted, withdrawn or removed, even in part, counts as absent. Concerns and corrections are only reported.',
  },
  accept: {
    type: 'value',
    placeholder: 'FILE',
    isFile: true,
    meaning:
      'With --updates: a file with the retracted DOIs that you may cite, one on each line in any form. A comment begins with #.',
  },
  lock: {
    type: 'value',
    placeholder: 'FILE',
    isFile: true,
    meaning:
      'Store answers in FILE, and commit FILE with the text. A stored answer is used until it is older than --max-age, or longer if a new look-up fails.',
  },
  'max-age': {
    type: 'value',
    placeholder: 'AGE',
    meaning: `The age from which a stored answer is looked up again: 12h, 30d, 4w; 0 looks up all. Default: ${DEFAULT_MAX_AGE}.`,
  },
  ...GATEWAY_OPTIONS,
  format: {
    type: 'value',
    placeholder: 'FORMAT',
    choices: ['words', 'json', 'github'],
    meaning:
      'The format of the results. github: annotations, which GitHub Actions shows beside the lines. Only references that need a look have one. Default: words.',
  },
  json: {
    type: 'flag',
    meaning:
      'The same as --format json. Write one JSON object on each line: {"file", "line", "column", "name", "text", "repaired", "outcome", "asked", "reason", "meant", "isLookalike", "looksLike", "alias", "tombstone"}; "outcome" is found, absent or unknown. With --titles also {"fit", "title"}; "fit" is fits, does-not-fit, unknown, or null for a name that is not found. With --updates also {"updates", "accepted"}; "updates" is {"outcome", "source", "notices"}, {"outcome": null, "reason"} if the look-up failed, or null for a name that is not found.',
  },
} as const;

export type CheckCall = CommandCall<typeof CHECK_OPTIONS>;
