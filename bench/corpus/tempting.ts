// Texts without any DOI name that look as if they had one.

import type { CorpusText } from './marked-text.ts';
import { digits, word, year } from './names.ts';
import type { Random } from './random.ts';

const TEMPLATES: readonly ((random: Random) => string)[] = [
  (r) => `The cost is 1${digits(r, 1)}10.${digits(r, 4)}/x.`,
  (r) => `Release ${digits(r, 1)}.10.${digits(r, 4)}/${word(r)} is out.`,
  (r) => `v10.${digits(r, 4)}/${word(r)}`,
  (r) => `inet 10.${r.below(256)}.${r.below(256)}.${r.below(256)}/${8 + r.below(24)} brd`,
  (r) => `http://10.${r.below(256)}.${r.below(256)}.${r.below(256)}/${word(r)}/${digits(r, 4)}.html`,
  (r) => `192.168.10.${digits(r, 3)}/24`,
  (r) => `It was rated 10.${digits(r, 1)}/10 by ${digits(r, 3)} people.`,
  (r) => `$10.${digits(r, 2)}/month, €10.${digits(r, 4)}/unit`,
  (r) => `10.${digits(r, 2)}/kg`,
  (r) => `from 10.${10 + r.below(3)}.${year(r)}/14.12.${year(r)}`,
  (r) => `season 10.${year(r)}/${year(r)}`,
  (r) => `10.${year(r)}/11.${year(r)}`,
  (r) => `Ubuntu 10.04/10.10, macOS 10.${digits(r, 2)}.${digits(r, 1)}/arm64`,
  (r) => `The prefix 10.${digits(r, 4)} is ${word(r)}'s.`,
  (r) => `10.${digits(r, 4)}/ and nothing`,
  (r) => `doi:10.${digits(r, 4)}/.`,
  (r) => `https://doi.org/${word(r)}${digits(r, 2)}`,
  (r) => `10/${word(r)}${digits(r, 1)}`,
  (r) => `hdl:20.500.${digits(r, 5)}/${digits(r, 3)}`,
  (r) => `ISBN 978-10-${digits(r, 4)}-${digits(r, 3)}-0`,
  (r) => `arXiv:10${digits(r, 2)}.${digits(r, 4)}/v2`,
  (r) => `Sections 10.${digits(r, 1)}.${digits(r, 1)}/10.${digits(r, 1)}.2`,
  (r) => `mean ${digits(r, 2)}.10.${digits(r, 4)}/2`,
  (r) => `10.${digits(r, 3)}x/${digits(r, 3)}`,
  (r) => `10.000/${digits(r, 2)}.000 Einwohner`,
  (r) => `p = 10.${digits(r, 4)}/20.${digits(r, 4)}`,
  (r) => `10.${digits(r, 4)} / ${digits(r, 3)}`,
  (r) => `/usr/lib/python3.10.${digits(r, 2)}/site-packages/${word(r)}`,
];

export function temptingTexts(random: Random, count: number): CorpusText[] {
  return Array.from({ length: count }, (_, place) => ({
    text: (TEMPLATES[place % TEMPLATES.length] as (typeof TEMPLATES)[number])(random),
    names: [],
    reason: 'no DOI name',
  }));
}
