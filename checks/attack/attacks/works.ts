// Requests for hostile works, and references with hostile words that are compared with a work.

import { type Attack, http, posts, queries } from '../attack.ts';
import { CITED_WORK, WORK_NAMES } from '../hostile-works.ts';
import { op, times } from '../requests.ts';

const THREE = { requests: 3, atOnce: 3, expect: 'success' } as const;
const works = Object.entries(WORK_NAMES);
const ofWorks = (label: string, fields: string): Attack[] =>
  queries(
    Object.fromEntries(works.map(([key, name]) => [`${label}: ${key}`, `{doi(input:"${name}"){${fields}}}`])),
    THREE,
  );
const written = (label: string, accept: string): Attack[] =>
  http(
    Object.fromEntries(
      works.map(([key, name]) => [`work, ${label}: ${key}`, { target: `/${name}`, headers: { accept } }]),
    ),
    { requests: 3, atOnce: 3 },
  );

/** What the words of references consist of. */
const WORDS: Readonly<Record<string, string>> = {
  'Cyrillic letters': 'ж',
  'Cyrillic letters and full stops': 'жжж.',
  'Cyrillic letters and hyphens': 'ж-',
  'letters and marks': 'a\u0301',
  'Greek letters': 'λ',
  ideographs: '漢',
  'Latin letters': 'a',
  'letters and digits': 'a1',
  'open elements': '<i',
  'accents of LaTeX': '\\"{o}',
  'hyphens at line ends': 'a-\n',
  'years that do not end': '2020',
};
const references = (unit: string): string =>
  times(200, (n) => `${n}. A B C D ${unit.repeat(1_400 / unit.length)} 2019. doi:${CITED_WORK}`, '\n\n');
const FIT = 'query($t:String!){findDois(text:$t){referenceFit}}';
const MCP = {
  host: 'localhost',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const checked = (text: string) => ({
  target: '/mcp',
  headers: MCP,
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'check_references', arguments: { text, titles: true } },
  }),
});
const words = Object.entries(WORDS).map(([key, unit]) => [key, references(unit)] as const);

export const workAttacks: readonly Attack[] = [
  ...ofWorks('work, title', 'metadata{title}'),
  ...ofWorks('work, people', 'metadata{creators{name}}'),
  ...ofWorks('work, texts', 'bibtex ris'),
  ...written('BibTeX', 'application/x-bibtex'),
  ...written('RIS', 'application/x-research-info-systems'),
  ...posts(
    Object.fromEntries(words.map(([key, t]) => [`work, fit of 200 references of ${key}`, op(FIT, { t })])),
    THREE,
  ),
  ...http(
    Object.fromEntries(words.map(([key, t]) => [`work, /mcp and 200 references of ${key}`, checked(t)])),
    { requests: 3, atOnce: 3 },
  ),
];
