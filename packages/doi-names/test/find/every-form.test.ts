// Real DOI names that break careless code are found in every form and inside every pair of delimiters.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { doiName } from '../../../../test/support/doi-names.ts';
import { testTable } from '../../../../test/support/test-table.ts';
import { DOI_ENCODINGS } from '../../src/encoding-forms.ts';
import { findDois } from '../../src/find/find-dois.ts';

const fixture = new URL('../../../../test/fixtures/hard-dois.txt', import.meta.url);
const names = readFileSync(fixture, 'utf8').trimEnd().split('\n');

/** The finder does not find the punctuation at the end of these names. */
const WITHOUT_ENDS: Readonly<Record<string, string>> = {
  '10.1124/mol...': '10.1124/mol',
  '10.1136/gut.0500138..': '10.1136/gut.0500138',
};

const foundName = (name: string) => WITHOUT_ENDS[name] ?? name.replace(/\.pdf$/, '');

const { HTML, MARKDOWN, UTF8_HEX, CODE_POINTS, ...textForms } = DOI_ENCODINGS;
const FORMS = Object.values(textForms);

/** The name replaces the first `|`, or the `|` after `{{doi|`. */
const DELIMITERS = [
  ...[' | ', '(|)', '[|]', '{|}', '<|>', '"|"', "'|'", '“|”', '‘|’', '«|»', '„|“', '（|）', '「|」', '`|`'],
  ...['*|*', '**|**', '_|_', 'see |.', 'see |, and', 'see |; and', '|:', '(see |).', '“|.”', '|…', '\n|\n'],
  ...['\t|\t', '>|</a>', '[x](|)', '[|](#a)', '||x|', '\\doi{|}', '{{doi||}}', '="|"', "='|'", '"|",'],
  ...['{|},', '&quot;|&quot;', '&lt;|&gt;', '<p>|</p>', '"|"]}', 'a |\u00A0b', '、|。'],
];

testTable(
  FORMS.flatMap((form, formAt) =>
    DELIMITERS.map((delimiters, at) => [form, delimiters, formAt + at] as const),
  ),
)(
  'the finder finds only the name, in every form and inside every pair of delimiters',
  ({ encode }, delimiters, row) => {
    const divider = delimiters.startsWith('{{doi|') ? 6 : delimiters.indexOf('|');
    const missed: string[] = [];
    // Every third name, so each name meets each form and each pair of delimiters.
    for (const name of names.filter((_, at) => at % 3 === row % 3)) {
      const written = encode(doiName(name));
      const text = delimiters.slice(0, divider) + written + delimiters.slice(divider + 1);
      const found = findDois(text);
      const [first] = found;
      const isFound = found.length === 1 && first?.name === foundName(name) && !first.repaired;
      const isWhole = isFound && foundName(name) === name ? first.text === written : isFound;
      if (!isWhole || text.slice(first?.start, first?.end) !== first?.text)
        missed.push(`${text} -> ${JSON.stringify(found)}`);
    }
    expect(missed.slice(0, 3)).toEqual([]);
  },
);
