import type { DoiWarning, DoiWarningCode } from 'doi-names';
import { mapSoon, type Soon } from '../../time.ts';
import { builder, describedEnum } from '../builder.ts';
import { characterName } from './character-names.ts';

const DoiWarningCodeEnum = describedEnum<DoiWarningCode>(
  'DOIWarningCode',
  'A problem that a legal DOI name can cause.',
  {
    RESERVED_SUFFIX:
      'The second character of the suffix is a slash. Old software can refuse such a name: `10.1000/a/b`.',
    TRAILING_SLASH: 'The name ends in a slash, most often by mistake: `10.1000/182/`.',
    DOT_SEGMENT: 'A `.` or `..` between slashes. URL parsers remove it: `10.1000/a/../b`.',
    NOT_NFC:
      'The name is not in Unicode Normalization Form C. Software that normalizes text changes it to another name.',
    CONFUSABLE_CHARACTERS:
      'A character in an ASCII word looks like ASCII but is not: a Cyrillic `а` in `pаypal`.',
    MIXED_SCRIPTS:
      'A word is written in scripts that are not used together, such as Latin and Cyrillic (UTS #39).',
    LOOKS_PERCENT_ENCODED:
      'The name itself contains a percent triplet, perhaps because it was encoded twice: `10.1000/a%2Fb`.',
    TRAILING_PUNCTUATION:
      'The name ends in punctuation, a quotation mark, or a closing bracket that has no opening bracket: `10.1000/182).`',
    QUERY_OR_FRAGMENT:
      'The end of the name looks like the query or fragment of a URL: `10.1000/182?utm_source=x`.',
    VIEW_SUFFIX:
      'The name ends like the address of a page at a publisher: `10.1000/182/full`, `10.1000/182.pdf`.',
    MARKUP:
      'The name contains an escape of LaTeX, or the end of a link, an HTML element or a BibTeX field, or other text that was copied along: `10.1000/a\\_b`, `10.1000/182</a>`, `10.1000/182}}`.',
    HTML_ENTITY: 'A character is written as an HTML entity: `10.1000/a&lt;b`.',
    WHITE_SPACE: 'A space, most often from a broken line: `10.1000/ 182`.',
    SEVERAL_NAMES: 'A second name follows after a separator: `10.1000/182; 10.1000/183`.',
    DASH: 'A dash that is not the `-` of ASCII, as from typeset text: `10.1000/4567–890`.',
  },
);

export const DoiWarningType = builder.objectRef<DoiWarning>('DOIWarning').implement({
  description: 'A part of a DOI name that is legal but will probably cause a problem.',
  fields: (t) => ({
    code: t.expose('code', {
      type: DoiWarningCodeEnum,
      description: 'The problem, for programs: TRAILING_SLASH, NOT_NFC, …',
    }),
    message: t.string({
      description: 'For people: the reason and the remedy.',
      resolve: ({ code, message }) =>
        code === 'CONFUSABLE_CHARACTERS' ? withCharacterName(message) : message,
    }),
    position: t.exposeInt('position', {
      nullable: true,
      description:
        'UTF-16 offset of the part in `name`, or of the first such part. Null if the warning is about the whole name.',
    }),
  }),
});

/** Adds the Unicode name of the character after its code point. */
function withCharacterName(message: string): Soon<string> {
  const [codePoint = '', hex = ''] = /U\+([0-9A-F]{4,6})/.exec(message) ?? [];
  const name = characterName(String.fromCodePoint(Number.parseInt(hex, 16)));
  return mapSoon(name, (known) => message.replace(codePoint, `${codePoint} ${known ?? ''}`.trimEnd()));
}
