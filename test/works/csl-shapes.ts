// The shapes of fields in CSL JSON, each with its value for clients. The shapes come from bug reports about the services
// and from test data of citation tools:
//   Crossref: lists for texts, `[[null]]`, objects for texts, own types, `null` types, lost spaces, JATS, MathML
//     (github.com/CrossRef/rest-api-doc issues 112, 169, 187, 197, 222, 580, 586)
//   DataCite: invalid types, titles of XML with attributes, publishers as objects (github.com/datacite/datacite 182, 324)
//   citeproc-js and CSL 1.0.2: seasons, ranges, circa, literal, raw, EDTF; Zotero: years as texts next to numbers

/** A shape and its value for clients. */
export type Shape = readonly [csl: unknown, read: unknown];

const TITLE = 'Water in the air';

export const TITLES: readonly Shape[] = [
  [TITLE, TITLE],
  [[TITLE], TITLE],
  [['', TITLE], TITLE],
  [[TITLE, 'Wasser in der Luft'], TITLE],
  [` ${TITLE}\n`, TITLE],
  ['Water\n        in the\u00a0air', TITLE],
  [TITLE.toUpperCase(), 'WATER IN THE AIR'],
  [{ _: TITLE, lang: 'en' }, TITLE],
  [{ '#text': TITLE, '@lang': 'en' }, TITLE],
  [{ __content__: TITLE, 'xml:lang': 'en' }, TITLE],
  [{ lang: 'en', text: TITLE }, TITLE],
  [[{ title: TITLE, lang: 'en' }], TITLE],
  [[{ value: TITLE }], TITLE],
  [{ en: TITLE, ja: '大気中の水' }, TITLE],
  [{ 'ja-Jpan': '大気中の水' }, '大気中の水'],
  ['大気中の水', '大気中の水'],
  ['الماء في الهواء', 'الماء في الهواء'],
  ['<i>Water</i> in the air', TITLE],
  ['<jats:italic>Water</jats:italic> in the air', TITLE],
  ['<title>Water in the air</title>', TITLE],
  ['&lt;i&gt;Water&lt;/i&gt; in the air', TITLE],
  ['Water &amp;amp; air', 'Water & air'],
  ['Water &amp; air', 'Water & air'],
  ['H<sub>2</sub>O', 'H2O'],
  ['<mml:math><mml:msub><mml:mi>H</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math>O', 'H2O'],
  ['<inline-formula><tex-math>$x^2$</tex-math></inline-formula> in air', 'in air'],
  ['Water at $\\sqrt{s}=13$ TeV', 'Water at $\\sqrt{s}=13$ TeV'],
  ['{W}ater in the air', '{W}ater in the air'],
  ['Water where p < 0.05', 'Water where p < 0.05'],
  ['“Water”: an élan', '“Water”: an élan'],
  ['Water\u0301', 'Water\u0301'],
  [1984, '1984'],
  ['', null],
  [[], null],
  [null, null],
  [{}, null],
  [[null], null],
  [true, null],
  ['<i></i>', null],
];

const person = (name: string, given: string | null, family: string | null, orcid: string | null = null) => ({
  name,
  given,
  family,
  particle: null,
  suffix: null,
  orcid,
});
const JOSIAH = { given: 'Josiah', family: 'Carberry' };
const READ = person('Josiah Carberry', 'Josiah', 'Carberry');
const ORCID = '0000-0002-1825-0097';
const WITH_ORCID = { ...READ, orcid: ORCID };

export const AUTHORS: readonly Shape[] = [
  [[JOSIAH], [READ]],
  [JOSIAH, [READ]],
  [[{ ...JOSIAH, sequence: 'first', affiliation: [] }], [READ]],
  [[{ ...JOSIAH, affiliation: [{ name: 'Brown' }], 'authenticated-orcid': false }], [READ]],
  [[{ ...JOSIAH, ORCID: `http://orcid.org/${ORCID}` }], [WITH_ORCID]],
  [[{ ...JOSIAH, ORCID: `https://orcid.org/${ORCID}/` }], [WITH_ORCID]],
  [[{ ...JOSIAH, ORCID }], [WITH_ORCID]],
  [[{ ...JOSIAH, ORCID: ORCID.replaceAll('-', '') }], [WITH_ORCID]],
  [[{ ...JOSIAH, ORCID: '0000-0002-1825-0098' }], [READ]],
  [[{ ...JOSIAH, ORCID: null }], [READ]],
  [
    [{ ...JOSIAH, ORCID: 'https://orcid.org/0000-0002-1694-233x' }],
    [{ ...READ, orcid: '0000-0002-1694-233X' }],
  ],
  [[{ family: 'Carberry,', given: 'Josiah ' }], [READ]],
  [['Carberry, Josiah'], [READ]],
  ['Carberry, Josiah', [READ]],
  [['Josiah Carberry'], [person('Josiah Carberry', null, null)]],
  [['University of California, Berkeley'], [person('University of California, Berkeley', null, null)]],
  [[{ literal: 'The Consortium' }], [person('The Consortium', null, null)]],
  [[{ literal: 'Bureau, National' }], [person('Bureau, National', null, null)]],
  [[{ name: 'GTEx Consortium', sequence: 'first' }], [person('GTEx Consortium', null, null)]],
  [[{ family: 'GTEx Consortium', given: '' }], [person('GTEx Consortium', null, 'GTEx Consortium')]],
  [[{ family: 'Plato' }], [person('Plato', null, 'Plato')]],
  [[{ given: 'Plato' }], [person('Plato', 'Plato', null)]],
  [
    [{ family: 'Beethoven', given: 'Ludwig', 'non-dropping-particle': 'van' }],
    [person('Ludwig van Beethoven', 'Ludwig', 'van Beethoven')],
  ],
  [
    [{ family: 'Humboldt', given: 'Alexander', 'dropping-particle': 'von' }],
    [{ ...person('Alexander von Humboldt', 'Alexander', 'Humboldt'), particle: 'von' }],
  ],
  [
    [{ ...JOSIAH, suffix: 'Jr.' }],
    [{ ...person('Josiah Carberry Jr.', 'Josiah', 'Carberry'), suffix: 'Jr.' }],
  ],
  [[{ givenName: 'Josiah', familyName: 'Carberry', nameType: 'Personal' }], [READ]],
  [[{ firstName: 'Josiah', lastName: 'Carberry', creatorType: 'author' }], [READ]],
  [[{ family: 'CARBERRY', given: 'J.' }], [person('J. CARBERRY', 'J.', 'CARBERRY')]],
  [[{ family: '鈴木', given: '花子' }], [person('花子 鈴木', '花子', '鈴木')]],
  [[{ family: 'M&uuml;ller', given: 'A.' }], [person('A. Müller', 'A.', 'Müller')]],
  [[JOSIAH, { literal: '' }, null, {}], [READ]],
  [[], []],
  [null, []],
  [[[]], []],
  [undefined, []],
];

export const DATES: readonly Shape[] = [
  [{ 'date-parts': [[2020, 7, 29]] }, '2020-07-29'],
  [{ 'date-parts': [[2020, 7]] }, '2020-07'],
  [{ 'date-parts': [[2020]] }, '2020'],
  [{ 'date-parts': [['1999', 12, 31]] }, '1999-12-31'],
  [{ 'date-parts': [['2020', '07', '09']] }, '2020-07-09'],
  [{ 'date-parts': [2020, 7] }, '2020-07'],
  [{ 'date-parts': [{ year: 2006, month: 10, day: 10 }] }, '2006-10-10'],
  [{ 'date-parts': [[2010], [2012]] }, '2010'],
  [
    { 'date-parts': [[2020, 7, 29]], 'date-time': '2020-07-29T00:00:00Z', timestamp: 1_595_980_800_000 },
    '2020-07-29',
  ],
  [{ 'date-parts': [[null]] }, null],
  [{ 'date-parts': [[]] }, null],
  [{ 'date-parts': [[2020, 0, 0]] }, '2020'],
  [{ 'date-parts': [[2021, 2, 29]] }, '2021-02'],
  [{ 'date-parts': [[2021, 13, 1]] }, '2021'],
  [{ 'date-parts': [[0]] }, null],
  [{ 'date-parts': [] }, null],
  [{ 'date-parts': [[]], literal: 'circa 1999' }, '1999'],
  [{ 'date-parts': [[2020, 21]] }, '2020'],
  [{ 'date-parts': [[2000, 1, 1]], circa: 2001, season: 'winter' }, '2000-01-01'],
  [{ 'date-parts': [[1968]], season: '2' }, '1968'],
  [{ 'date-parts': [[-44, 3, 15]] }, '-0044-03-15'],
  [{ edtf: '2000-01-01/2010-10-10' }, '2000-01-01'],
  [{ edtf: '2004-21' }, '2004'],
  [{ edtf: '1984~' }, '1984'],
  [{ raw: '2012-05' }, '2012-05'],
  [{ raw: '2012/05' }, '2012-05'],
  [{ 'date-time': '2015-06-18T10:00:00Z' }, '2015-06-18'],
  [{ literal: 'between 1999 and 2001' }, null],
  [{ raw: '29 July 2020' }, '2020'],
  [{ literal: 'circa 1850' }, '1850'],
  [{ literal: 'Han Dynasty' }, null],
  [{ literal: 'forthcoming' }, null],
  ['2020-07/2020-08', '2020-07'],
  ['1999-12-31 23:59:59', '1999-12-31'],
  ['2019-08-27T15:47:45Z', '2019-08-27'],
  ['Spring 2015', '2015'],
  ['n.d.', null],
  [2014, '2014'],
  ['20140101', '2014-01-01'],
  [true, null],
  [['2014-03'], '2014-03'],
  [[2014, 3], '2014-03'],
  [[{ 'date-parts': [[2014]] }], '2014'],
  [{ year: '2006' }, '2006'],
  ['', null],
  [null, null],
  [{}, null],
  [undefined, null],
];

/** Fields with a text: journals, publishers, volumes, pages, languages. */
export const TEXTS: readonly Shape[] = [
  ['Journal', 'Journal'],
  [['Journal'], 'Journal'],
  [['Journal', 'J.'], 'Journal'],
  [{ name: 'Journal' }, 'Journal'],
  [{ name: 'Journal', schemeUri: 'https://ror.org' }, 'Journal'],
  ['Journal &amp; Review', 'Journal & Review'],
  ['<i>Journal</i>', 'Journal'],
  [7, '7'],
  ['7', '7'],
  ['S1', 'S1'],
  ['1-12', '1-12'],
  ['e140–e142', 'e140–e142'],
  [[], null],
  ['', null],
  [null, null],
  [{}, null],
  [false, null],
  [undefined, null],
];

/** Types stay unchanged. */
export const TYPES: readonly Shape[] = [
  ...['article-journal', 'journal-article', 'posted-content', 'other', 'dissertation', 'book-chapter'].map(
    (type) => [type, type] as const,
  ),
  [null, null],
  [undefined, null],
];
