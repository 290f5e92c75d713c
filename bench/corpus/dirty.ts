// A list as people hand it in: one name an entry, with everyday dirt on it.

import { meantBy } from '../../src/doi/find/reference-around.ts';
import { lookalikes } from '../../src/doi/lookalikes.ts';
import { foldBasicLatin } from '../../src/doi/name.ts';
import { parseDoi } from '../../src/doi/parse.ts';
import { doiWarnings } from '../../src/doi/warnings.ts';
import { anyName, inEntities, inUrl, type Random, year } from './names.ts';

export interface DirtyEntry {
  readonly input: string;
  readonly name: string;
  readonly dirt: string;
}

type Dirt = (name: string, random: Random) => string;

const middle = (name: string): number =>
  name.indexOf('/') + 1 + Math.floor((name.length - name.indexOf('/') - 1) / 2);
const inMiddle = (name: string, dirt: string): string =>
  name.slice(0, middle(name)) + dirt + name.slice(middle(name));

const DIRT: Readonly<Record<string, Dirt>> = {
  nothing: (name) => name,
  'a label': (name, r) =>
    r
      .of(['doi:', 'DOI: ', 'DOI ', 'doi: ', 'Doi:', 'doi:doi:', 'DOI:https://doi.org/'])
      .concat(name.replaceAll('%', '%25').replaceAll('#', '%23')),
  'a label in words': (name, r) =>
    `${r.of(['Digital Object Identifier', 'doi number:', 'DOI=', 'DOI –', 'Link:', 'Source: doi'])} ${name}`,
  punctuation: (name, r) => name + r.of(['.', ',', ';', ':', '…', ').', '".', '!']),
  brackets: (name, r) =>
    r.of(['(|)', '[|]', '<|>', '{|}', '[doi:|]', '(doi: |)', '((|))', '(|']).replace('|', () => name),
  quotes: (name, r) =>
    r.of(['"|"', "'|'", '“|”', '‘|’', '«|»', '„|“', '"|",', '”|”']).replace('|', () => name),
  'a resolver': (name, r) =>
    r.of([
      'https://doi.org/',
      'http://dx.doi.org/',
      'doi.org/',
      'www.doi.org/',
      'https://doi.org//',
      'https://hdl.handle.net/',
      'https://doi-org.proxy.example.edu/',
    ]) + inUrl(name),
  'another resolver': (name, r) =>
    r.of([
      'https://oadoi.org/',
      'https://sci-hub.example/',
      'https://api.crossref.org/works/',
      'https://search.example.org/?q=',
      'https://data.datacite.org/',
      'https://resolver.example.edu/openurl?rft_id=info:doi/',
    ]) + inUrl(name),
  'a publisher': (name, r) =>
    r
      .of([
        'https://publisher.example/doi/|',
        'https://publisher.example/doi/full/|?src=x',
        'https://publisher.example/article/|#s2',
        'publisher.example/doi/pdf/|',
        'https://publisher.example/doi/|/full',
        'https://publisher.example/a?doi=|&x=1',
      ])
      .replace('|', () => inUrl(name)),
  'an invisible character': (name, r) =>
    r.of([
      (n: string) => `\u200b${n}`,
      (n: string) => `${n}\ufeff`,
      (n: string) => inMiddle(n, '\u200b'),
      (n: string) => inMiddle(n, '\u00ad'),
    ])(name),
  'a line break': (name) => name.replace(/-(?=[A-Za-z0-9])/, '-\n'),
  entities: (name) => `doi:${inEntities(name)}`,
  markup: (name, r) =>
    r
      .of([
        '<a href="https://doi.org/@">|</a>',
        '<i>|</i>',
        '[|](https://doi.org/@)',
        '**|**',
        '<doi>|</doi>',
        '\\doi{|}',
      ])
      .replace('@', () => inEntities(inUrl(name)))
      .replace('|', (_, at: number, all: string) =>
        all.startsWith('<') && at > 0 ? inEntities(name) : name,
      ),
  'a sentence': (name, r) =>
    r
      .of([
        `See |, ${year(r)}.`,
        'Available at | (accessed 10 May).',
        'Smith et al., |, p. 3',
        'The DOI is |.',
      ])
      .replace('|', () => name),
  tracking: (name) => `https://doi.org/${inUrl(name)}?utm_source=x&utm_medium=y`,
};

export function dirtyEntries(random: Random, count: number): DirtyEntry[] {
  const kinds = Object.entries(DIRT);
  return Array.from({ length: count }, (_, place) => {
    const [dirt, apply] = kinds[place % kinds.length] as [string, Dirt];
    const name = anyName(random);
    return { input: apply(name, random), name, dirt };
  });
}

export interface DirtyScore {
  /** read as meant, or the first that is offered is what was meant */
  readonly served: number;
  readonly read: number;
  /** something is offered first that was not meant */
  readonly wronglyOffered: number;
  readonly failures: readonly {
    readonly entry: DirtyEntry;
    readonly read: string | null;
    readonly offered: readonly string[];
  }[];
}

export function scoreDirty(entries: readonly DirtyEntry[]): DirtyScore {
  let read = 0;
  let offered = 0;
  let wrong = 0;
  const failures: DirtyScore['failures'][number][] = [];
  for (const entry of entries) {
    const parsed = parseDoi(entry.input);
    const meant = foldBasicLatin(entry.name);
    const offers = parsed.name === null ? meantBy(parsed).map(({ name }) => name) : repairs(parsed.name);
    const [first] = offers;
    if (parsed.name !== null && foldBasicLatin(parsed.name) === meant) read += 1;
    else if (first !== undefined && foldBasicLatin(first) === meant) offered += 1;
    else {
      if (first !== undefined) wrong += 1;
      failures.push({ entry, read: parsed.name, offered: offers });
    }
  }
  const total = entries.length;
  return { served: (read + offered) / total, read: read / total, wronglyOffered: wrong / total, failures };
}

/** What a name's warnings offer. */
function repairs(name: Parameters<typeof doiWarnings>[0]): string[] {
  return doiWarnings(name, lookalikes).flatMap(({ repaired }) => repaired ?? []);
}
