// The options of `doi check`.

import { type CommandCall, GATEWAY_OPTIONS } from '../command.ts';
import { FILE_OPTIONS } from '../files/find-files.ts';

export const DEFAULT_MAX_AGE = '30d';

export const CHECK_OPTIONS = {
  ...FILE_OPTIONS,
  strict: { type: 'flag', meaning: 'Exit with 1 for look-alikes, aliases, tombstones and concerns too.' },
  quiet: { type: 'flag', short: 'q', meaning: 'Write only what needs a look: not what is simply found.' },
  titles: {
    type: 'flag',
    meaning:
      'Ask the agencies for titles too, and compare each with the words around the name: fits, does not fit, or found where it cannot be told. What does not fit counts as an absent one does.',
  },
  updates: {
    type: 'flag',
    meaning:
      'Look up what became of the works. A work that is retracted, withdrawn or removed, also in part, counts as an absent one does; concerns and corrections are written.',
  },
  accept: {
    type: 'value',
    placeholder: 'FILE',
    isFile: true,
    meaning:
      'With --updates: DOIs that may be cited although they are retracted, one a line in any form. A comment begins with #.',
  },
  lock: {
    type: 'value',
    placeholder: 'FILE',
    isFile: true,
    meaning:
      'Keep answers in FILE, to be committed with the text. What is kept is not asked again until it is older than --max-age, and stands when it cannot be asked.',
  },
  'max-age': {
    type: 'value',
    placeholder: 'AGE',
    meaning: `Age from which a kept answer is asked again: 12h, 30d, 4w; 0 asks for all. ${DEFAULT_MAX_AGE} unless it says.`,
  },
  ...GATEWAY_OPTIONS,
  format: {
    type: 'value',
    placeholder: 'FORMAT',
    choices: ['words', 'json', 'github'],
    meaning:
      'How to write what is found. github: annotations for GitHub Actions, which shows them beside the lines; what is simply found has none. Else words.',
  },
  json: {
    type: 'flag',
    meaning:
      'The same as --format json. Write one JSON object a line: {"file", "line", "column", "name", "text", "repaired", "outcome", "asked", "reason", "meant", "isLookalike", "looksLike", "alias", "tombstone"}; "outcome" is found, absent or unknown. With --titles also {"fit", "title"}; "fit" is fits, does-not-fit, unknown, or null for a name that is not found. With --updates also {"updates", "accepted"}; "updates" is {"outcome", "source", "notices"}, {"outcome": null, "reason"} if the look-up failed, or null for a name that is not found.',
  },
} as const;

export type CheckCall = CommandCall<typeof CHECK_OPTIONS>;
