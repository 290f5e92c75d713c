// Invented works in twelve scripts, with everything that makes an entry of BibTeX hard to write.

import type { HandleName } from 'doi-names';
import type { CslItem } from '../../src/works/work.ts';
import { randomNumbers } from './random-numbers.ts';

export interface WorkInScript {
  readonly name: HandleName;
  readonly csl: CslItem;
  /** the parts that a parser must find in the entry */
  readonly read: {
    /** the title as plain text */
    readonly title: string;
    readonly authors: readonly NameParts[];
    readonly container: string;
    readonly publisher: string;
    readonly year: string;
    readonly month: string;
    readonly day: string;
    readonly pages: string;
    /** the DOI as the entry of BibTeX has it */
    readonly doi: string;
  };
}

/** An organization has only `family`. */
export interface NameParts {
  /** the family name with its particles */
  readonly family: string;
  readonly given: string;
  readonly suffix: string;
}

interface Script {
  readonly words: readonly string[];
  readonly given: readonly string[];
  readonly family: readonly string[];
}

function script(words: string, given: string, family: string): Script {
  return { words: words.split(' '), given: given.split('|'), family: family.split('|') };
}

export const SCRIPTS: Readonly<Record<string, Script>> = {
  Latin: script(
    'On the growth of mRNA in Escherichia coli and Łódź Élan naïve Übergang pH McDonald iPhone São Tomé œuvre Ístanbul',
    'Josiah|José María|Jean-Luc|J. R. R.|Ödön|Đorđe|bell|Ann and Bo',
    "Carberry|van der Berg|Álvarez García|Ortega y Gasset|O'Neil|d'Alembert|al-Rashid|hooks|Ørsted|de la Cruz|Müller-Lüdenscheidt",
  ),
  Cyrillic: script(
    'Новые методы исследования поверхности оксида никеля в Балтийском море Її ґрунт',
    'Иван|Анна-Мария|Ђорђе',
    'Менделеев|Римский-Корсаков|Ћирић|ибн Сина|Ґалаґан',
  ),
  Greek: script(
    'Περί της φύσεως των πραγμάτων και Ἀριστοτέλης ψυχή άνθρωπος',
    'Ἀριστοτέλης|Ελένη',
    'Παπαδόπουλος|Καζαντζάκη',
  ),
  Arabic: script('دراسة في تأثير الماء على نمو النبات العربي', 'محمد|فاطمة الزهراء', 'ابن سينا|الخوارزمي'),
  Hebrew: script('מחקר על השפעת המים בים המלח', 'דוד|שרה־רבקה', 'בן גוריון|כהן'),
  Han: script('量子力學中的時間 关于镍氧化物 表面 研究', '小明|孔明', '王|諸葛|欧阳'),
  Kana: script('日本における ネットワーク のしくみ について ガ', '太郎|はなこ', '山田|さとう'),
  Hangul: script('한국 사회 의 변화 에 관한 연구 각', '철수|영희', '김|남궁'),
  Devanagari: script('जल और वायु का अध्ययन क्षेत्र में', 'रवि|सीता', 'शर्मा|ठाकुर सिंह'),
  Thai: script('การศึกษา ผลกระทบ ของน้ำ ต่อ ข้าว', 'สมชาย|มาลี', 'ใจดี|ณ อยุธยา'),
  Georgian: script('წყლის გავლენა მცენარეზე თბილისში', 'გიორგი|ნინო', 'ბერიძე|რუსთაველი'),
  Armenian: script('Ջրի ազդեցությունը բույսերի վրա Հայաստանում և', 'Արամ|Անի', 'Խաչատրյան|Պետրոսյան'),
};

/** Parts of a title: as CSL has them, and as plain text. */
const ODDITIES: readonly (readonly [csl: string, text: string])[] = [
  ['H<sub>2</sub>O', 'H2O'],
  ['<i>E. coli</i> K<sup>+</sup>', 'E. coli K+'],
  ['<i>in <b>Vivo</b></i>', 'in Vivo'],
  [
    '<mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup><mml:mo>+</mml:mo><mml:mi>Y</mml:mi></mml:math>',
    'x2+Y',
  ],
  ['<jats:italic>Homo</jats:italic> <jats:sc>Sapiens</jats:sc>', 'Homo Sapiens'],
  ['$E = mc^2$ and \\alpha_{i}', '$E = mc^2$ and \\alpha_{i}'],
  ['at $\\sqrt{s}=13\\,\\mathrm{TeV}$', 'at $\\sqrt{s}=13\\,\\mathrm{TeV}$'],
  ['AT&amp;T &amp; Co', 'AT&T & Co'],
  ['R & D: {Braces} in {', 'R & D: {Braces} in {'],
  ['} and \\{ and \\', '} and \\{ and \\'],
  ['100% of #1, _a_, ~b^c', '100% of #1, _a_, ~b^c'],
  ["``quoted'' and 'single' ?` !` --- --", "``quoted'' and 'single' ?` !` --- --"],
  ['“Quoted”: „Zitat“ «Élan» – —', '“Quoted”: „Zitat“ «Élan» – —'],
  ['p < 0.05 << 1 > 0 >> -1', 'p < 0.05 << 1 > 0 >> -1'],
  ['"The @end, of it"', '"The @end, of it"'],
  ['line\n  breaks\tand\u00a0spaces', 'line breaks and spaces'],
  ['[x] | y / z * = +', '[x] | y / z * = +'],
  ['\\textbf{no} \\"o \\begin{x}', '\\textbf{no} \\"o \\begin{x}'],
  ['𝛼-Fe₂O₃ 😀', '𝛼-Fe₂O₃ 😀'],
];

const ORGANIZATIONS = [
  'World Health Organization',
  'Barnes and Noble, Inc.',
  'AT&T & {Friends}',
  'The ATLAS Collaboration',
  'others',
  '$100% Group_1#',
  'given=family',
  '中国科学院',
];
const PUBLISHERS = [
  'Springer Science and Business Media LLC',
  'Wiley & Sons',
  'Наука',
  'O’Reilly',
  '东京大学',
];
const TYPES = [
  ...['article-journal', 'book', 'chapter', 'paper-conference', 'thesis', 'report', 'dataset', 'software'],
  ...['posted-content', 'journal-article', 'proceedings', 'manuscript', 'pamphlet', 'no type'],
];
const PAGES = [
  ['1-12', '1-12'],
  ['S1–S12', 'S1-S12'],
  ['e30', 'e30'],
  ['140402', '140402'],
];
/** Suffixes of the DOI: the suffix, and its text in the entry. */
const SUFFIXES = [
  ...['a_b', '(SICI)1<1:A>2.0.CO;2-#', 'a%25b&c', '{a}', 'ü中', 'a$~b^$c', 'x\\y'].map((same) => [
    same,
    same,
  ]),
  ['{b', '%7Bb'],
  ['a~b^c$d', 'a~b%5Ec%24d'],
];
const DATES = [[2020], [1999, 12], [2008, 2, 29], [1850, 1]];

export function worksInScripts(count: number, seed = 1): readonly WorkInScript[] {
  const random = randomNumbers(seed);
  const scripts = Object.values(SCRIPTS);
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const some = <Item>(most: number, make: () => Item): Item[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, make);

  function author({ given, family }: Script): readonly [csl: unknown, read: NameParts] {
    if (random() < 0.2) {
      const literal = oneOf(ORGANIZATIONS);
      return [{ literal }, { family: literal, given: '', suffix: '' }];
    }
    const person = { family: oneOf(family), given: oneOf(given) };
    if (random() < 0.1)
      return [
        { ...person, suffix: 'Jr.' },
        { ...person, suffix: 'Jr.' },
      ];
    if (random() < 0.9) return [person, { ...person, suffix: '' }];
    const particle = oneOf(['dropping-particle', 'non-dropping-particle']);
    return [
      { ...person, [particle]: 'von' },
      { ...person, family: `von ${person.family}`, suffix: '' },
    ];
  }

  return Array.from({ length: count }, (_, index) => {
    const script = scripts[index % scripts.length] as Script;
    const word = (): readonly [string, string] => {
      const one = oneOf(script.words);
      return [one, one];
    };
    const title = [word(), ...some(4, word), oneOf(ODDITIES), ...some(3, word), oneOf(ODDITIES)];
    if (random() < 0.3) title.reverse();
    const authors = some(4, () => author(script));
    const container = `${oneOf(script.words)} & ${oneOf(script.words)} {${index}`;
    const publisher = oneOf(PUBLISHERS);
    const [page = '', pages = ''] = oneOf(PAGES);
    const [suffix = '', doi = ''] = oneOf(SUFFIXES);
    const [year, month, day] = oneOf(DATES);
    return {
      name: `10.5555/${index}.${suffix}` as HandleName,
      csl: {
        type: TYPES[index % TYPES.length],
        title: title.map(([csl]) => csl).join(' '),
        author: authors.map(([csl]) => csl),
        'container-title': container,
        publisher,
        page,
        issued: { 'date-parts': [[year, month, day].filter((part) => part !== undefined)] },
      },
      read: {
        title: title.map(([, text]) => text).join(' '),
        authors: authors.map(([, read]) => read),
        container,
        publisher,
        year: String(year),
        month: String(month ?? ''),
        day: String(day ?? ''),
        pages,
        doi: `10.5555/${index}.${doi}`,
      },
    };
  });
}
