// A list of DOI names as people send them: each entry has one name and an everyday defect, such as a label or a bracket.

import { warnings } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import { foldBasicLatin, meantBy, parseDoi } from 'doi-names/parts';
import { anyName, filled, type Random } from './texts.ts';

const words = (templates: string): string[] => templates.split(' ');

/** For each defect, templates that contain the name once or twice. */
const DIRT: Readonly<Record<string, readonly string[]>> = {
  nothing: ['⟦⟧'],
  'a label': [
    ...words('doi:⟦label⟧ Doi:⟦label⟧ doi:doi:⟦label⟧ DOI:https://doi.org/⟦label⟧'),
    ...['DOI: ⟦label⟧', 'DOI ⟦label⟧', 'doi: ⟦label⟧'],
  ],
  'a label in words': [
    ...['Digital Object Identifier ⟦⟧', 'doi number: ⟦⟧', 'DOI= ⟦⟧'],
    ...['DOI – ⟦⟧', 'Link: ⟦⟧', 'Source: doi ⟦⟧'],
  ],
  punctuation: words('⟦⟧. ⟦⟧, ⟦⟧; ⟦⟧: ⟦⟧… ⟦⟧). ⟦⟧". ⟦⟧!'),
  brackets: [...words('(⟦⟧) [⟦⟧] <⟦⟧> {⟦⟧} [doi:⟦⟧] ((⟦⟧)) (⟦⟧'), '(doi: ⟦⟧)'],
  quotes: words('"⟦⟧" \'⟦⟧\' “⟦⟧” ‘⟦⟧’ «⟦⟧» „⟦⟧“ "⟦⟧", ”⟦⟧”'),
  'a resolver': words(
    'https://doi.org/⟦url⟧ http://dx.doi.org/⟦url⟧ doi.org/⟦url⟧ www.doi.org/⟦url⟧ https://doi.org//⟦url⟧ https://hdl.handle.net/⟦url⟧ https://doi-org.proxy.example.edu/⟦url⟧',
  ),
  'another resolver': words(
    'https://oadoi.org/⟦url⟧ https://sci-hub.example/⟦url⟧ https://api.crossref.org/works/⟦url⟧ https://search.example.org/?q=⟦url⟧ https://data.datacite.org/⟦url⟧ https://resolver.example.edu/openurl?rft_id=info:doi/⟦url⟧',
  ),
  'a publisher': words(
    'https://publisher.example/doi/⟦url⟧ https://publisher.example/doi/full/⟦url⟧?src=x https://publisher.example/article/⟦url⟧#s2 publisher.example/doi/pdf/⟦url⟧ https://publisher.example/doi/⟦url⟧/full https://publisher.example/a?doi=⟦url⟧&x=1',
  ),
  'an invisible character': ['\u200b⟦⟧', '⟦⟧\ufeff', '⟦zeroWidth⟧', '⟦softHyphen⟧'],
  'a line break': ['⟦broken⟧'],
  entities: ['doi:⟦entities⟧'],
  markup: [
    '<a href="https://doi.org/⟦urlInEntities⟧">⟦entities⟧</a>',
    ...words('<i>⟦entities⟧</i> [⟦⟧](https://doi.org/⟦url⟧) **⟦⟧** <doi>⟦entities⟧</doi> \\doi{⟦⟧}'),
  ],
  'a sentence': [
    ...['See ⟦⟧, {year}.', 'Available at ⟦⟧ (accessed 10 May).'],
    ...['Smith et al., ⟦⟧, p. 3', 'The DOI is ⟦⟧.'],
  ],
  tracking: ['https://doi.org/⟦url⟧?utm_source=x&utm_medium=y'],
};

export function dirtyEntries(random: Random, count: number) {
  const kinds = Object.entries(DIRT);
  return Array.from({ length: count }, (_, index) => {
    const [dirt, templates] = kinds[index % kinds.length] as [string, readonly string[]];
    const name = anyName(random);
    return { input: filled(random.of(templates), random, (spell) => spell(name)), name, dirt };
  });
}

/**
 * Returns the share of entries that the parser reads as meant; the share of entries `served`, which the parser reads as
 * meant or whose first offered name is the meant name; and the share whose first offered name is another name.
 */
export function scoreDirty(entries: ReturnType<typeof dirtyEntries>) {
  let read = 0;
  let offered = 0;
  let wrong = 0;
  const failures: object[] = [];
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

/** The names that the warnings of a name offer. */
function repairs(name: Parameters<typeof warnings>[0]): string[] {
  return warnings(name, lookalikes).flatMap(({ repaired }) => repaired ?? []);
}
