// `doi compare`: says whether two names are the same DOI.

import { lookalikes } from 'doi-names/lookalikes';
import { compareDois, parseDoi } from 'doi-names/parts';
import { jsonLine, safeText } from '../../safe-text.ts';
import { defineCommand, NEGATIVE_ANSWER, POSITIVE_ANSWER, UsageError } from './command.ts';
import { givenName, LITERAL, problemLine } from './read-names.ts';

export const compareCommand = defineCommand({
  name: 'compare',
  summary: 'say whether two names are the same DOI',
  operands: 'A B',
  about: [
    'Two names are equivalent if they differ only in the case of A to Z. Each name can have any form. If two names are not equivalent, the command says how they differ. Examples: a trailing slash, look-alike characters, double encoding. The command makes no look-up.',
  ],
  options: {
    literal: LITERAL,
    json: {
      type: 'flag',
      meaning: 'Write a JSON object: {"a", "b", "equivalent", "relation", "explanation"}.',
    },
  },
  examples: [
    {
      command: 'doi compare 10.1000/ABC https://doi.org/10.1000/abc',
      meaning: 'Equivalent: exit code 0.',
    },
    {
      command: 'doi compare 10.1000/182 10.1000/182/',
      meaning: 'Not equivalent, because of a trailing slash: exit code 1.',
    },
  ],
  exitCodes: { 0: 'A and B are equivalent.', 1: 'A and B are not equivalent.' },
  async run({ operands, options, stdout }) {
    const [a, b, ...more] = operands;
    if (a === undefined || b === undefined || more.length > 0) {
      throw new UsageError('Give two names, as in  doi compare 10.1000/ABC https://doi.org/10.1000/abc');
    }
    const form = options.literal ? 'NAME' : null;
    for (const input of [a, b]) {
      const given = givenName(input, options.literal);
      if (given.name === null) throw new UsageError(problemLine(given));
    }
    const { equivalent, relation, explanation } = compareDois(
      parseDoi(a, form),
      parseDoi(b, form),
      lookalikes,
    );
    await stdout.write(
      options.json
        ? jsonLine({ a, b, equivalent, relation, explanation })
        : `${equivalent ? 'equivalent' : 'not equivalent'} (${relation}): ${safeText(explanation)}\n`,
    );
    return equivalent ? POSITIVE_ANSWER : NEGATIVE_ANSWER;
  },
});
