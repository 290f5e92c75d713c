// Real DOI names that break careless code, in every form, inside every pair of delimiters, are found again.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { doiName } from '../../../../test/support/doi-names.ts';
import { testTable } from '../../../../test/support/test-table.ts';
import { DOI_ENCODINGS } from '../../src/encoding-forms.ts';
import { findDois } from '../../src/find/find-dois.ts';

const names = readFileSync(new URL('../../../../test/fixtures/hard-dois.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** Their ends are warned of: the name is found as far as it is not. */
const ENDS: Readonly<Record<string, string>> = {
  '10.1124/mol...': '10.1124/mol',
  '10.1136/gut.0500138..': '10.1136/gut.0500138',
};

function foundName(name: string): string {
  return ENDS[name] ?? name.replace(/\.pdf$/, '');
}

const FORMS = [
  'NAME',
  'WEB_FORM',
  'URI',
  'DISPLAY',
  'URL_RECOMMENDED',
  'URL_MANDATORY',
  'DX_URL',
  'URN',
  'URN_URL',
  'INFO_URI',
  'HANDLE_URI',
  'API_URL',
  'WHICH_RA_URL',
] as const;

const DELIMITERS = [
  ...[
    ' | ',
    '(|)',
    '[|]',
    '{|}',
    '<|>',
    '"|"',
    "'|'",
    '“|”',
    '‘|’',
    '«|»',
    '„|“',
    '（|）',
    '「|」',
    '`|`',
    '*|*',
    '**|**',
    '_|_',
  ],
  ...[
    'see |.',
    'see |, and',
    'see |; and',
    '|:',
    '(see |).',
    '“|.”',
    '|…',
    '\n|\n',
    '\t|\t',
    '>|</a>',
    '[x](|)',
    '[|](#a)',
    '||x|',
  ],
  ...[
    '\\doi{|}',
    '{{doi||}}',
    '="|"',
    "='|'",
    '"|",',
    '{|},',
    '&quot;|&quot;',
    '&lt;|&gt;',
    '<p>|</p>',
    '"|"]}',
    'a |\u00A0b',
    '、|。',
  ],
] as const;

testTable(FORMS.flatMap((form) => DELIMITERS.map((delimiters) => [form, delimiters] as const)))(
  'as %s inside %j',
  (form, delimiters) => {
    const { encode } = DOI_ENCODINGS[form];
    const divider = delimiters.startsWith('{{doi|') ? 6 : delimiters.indexOf('|');
    const missed: string[] = [];
    // Every third name: of form, delimiters and name, each two come together.
    const from = (FORMS.indexOf(form) + DELIMITERS.indexOf(delimiters)) % 3;
    for (const name of names.filter((_, at) => at % 3 === from)) {
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
