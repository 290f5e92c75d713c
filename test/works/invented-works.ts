// Invented works with realistic titles: several languages, lengths and fields, many words in common.

import { randomNumbers, shuffled } from '../support/random-numbers.ts';

export interface InventedWork {
  readonly name: string;
  readonly title: string;
  /** empty if the work has no subtitle */
  readonly subtitle: string;
  /** in another language */
  readonly translated: string;
  readonly authors: readonly { readonly family: string; readonly given: string }[];
  readonly journal: string;
  readonly year: number;
  readonly volume: number;
  readonly page: number;
}

const words = (text: string): readonly string[] => text.split('|').map((one) => one.trim());

const ENGLISH = {
  things: words(
    'nickel oxide surfaces | microbial communities | graphene membranes | housing prices | sleep disorders | gravitational waves | soil carbon | vaccine hesitancy | deep neural networks | tidal wetlands | mitochondrial genomes | perovskite solar cells | medieval charters | urban heat islands | protein folding | labour migration | coral bleaching | quantum error correction | dietary fibre | seismic hazard',
  ),
  places: words(
    'the Baltic Sea | older adults | the early Universe | small island states | hospital wards | tropical forests | rural Ethiopia | aqueous solution | primary schools | the Weimar Republic | Arabidopsis thaliana | low-income households | the upper troposphere | long-term care | high-dimensional data',
  ),
  frames: words(
    'On the formation of X in Y | X and their role in Y | A randomized trial of X in Y | Modelling X in Y with Bayesian methods | Why X matter for Y | Long-term trends of X across Y | Towards a theory of X in Y | Measuring X in Y | The political economy of X in Y | X in Y | Rapid changes of X under stress in Y | Evidence against X in Y',
  ),
  subtitles: words(
    'a systematic review | evidence from a natural experiment | results of a ten-year survey | a multi-centre cohort study | past, present and future | an open data set | lessons for policy',
  ),
  journals: words(
    'Journal of Applied Physics | Nature Communications | PLoS ONE | The Lancet | Ecology Letters | American Economic Review | Annals of Statistics | Speculum',
  ),
};

const OTHERS: Readonly<Record<string, typeof ENGLISH>> = {
  German: {
    things: words(
      'Kristallstrukturen | Flüchtlingslager | Grundwasservorräte | Zunftordnungen | Übertragungsnetze | Bodenpilze',
    ),
    places: words('den Ostalpen | der Weimarer Zeit | Großstädten | der frühen Kindheit | künstlichen Böden'),
    frames: words(
      'Über die Entstehung der X in Y | Untersuchungen zu X in Y | X und ihre Bedeutung in Y | Beiträge zur Kenntnis der X in Y',
    ),
    subtitles: words('eine Langzeitstudie | Ergebnisse und Ausblick | ein Überblick'),
    journals: words('Zeitschrift für Physik | Historische Zeitschrift'),
  },
  French: {
    things: words(
      'les forêts anciennes | les élites urbaines | les récifs coralliens | les mémoires de guerre',
    ),
    places: words('le bassin méditerranéen | la littérature médiévale | les sociétés créoles | les Pyrénées'),
    frames: words("L'évolution : X dans Y | Étude comparée de X dans Y | Comment X façonnent Y"),
    subtitles: words('une approche interdisciplinaire | état des lieux'),
    journals: words('Annales de géographie | Revue française de sociologie'),
  },
  Spanish: {
    things: words('la educación rural | los suelos salinos | la violencia urbana | las aves migratorias'),
    places: words('la región andina | América Latina | el siglo dieciocho | la península ibérica'),
    frames: words('Análisis de X en Y | Hacia una historia de X en Y | El papel de X en Y'),
    subtitles: words('una revisión sistemática | un estudio de caso'),
    journals: words('Revista de Biología Tropical | Perfiles Latinoamericanos'),
  },
  Polish: {
    things: words('zbiorowiska roślinne | źródła energii | reformy samorządowe'),
    places: words('dolinie Wisły | województwie śląskim | okresie międzywojennym'),
    frames: words('Zmienność: X w Y | Współczesne X w Y'),
    subtitles: words('próba oceny | studium przypadku'),
    journals: words('Przegląd Geograficzny'),
  },
  Russian: {
    things: words('ледниковые отложения | городские сообщества | полупроводниковые структуры'),
    places: words('северной Сибири | позднем средневековье | условиях высокого давления'),
    frames: words('Исследование: X в Y | Современные X в Y'),
    subtitles: words('опыт сравнения | новые данные'),
    journals: words('Успехи физических наук'),
  },
  Japanese: {
    things: words('科学技術政策 | 海洋生物多様性 | 高齢者介護制度 | 地震観測網'),
    places: words('日本列島 | 近世都市 | 東京湾沿岸 | 戦後社会'),
    frames: words('YにおけるXの歴史的変遷 | YのXに関する研究'),
    subtitles: words('現状と課題'),
    journals: words('科学史研究'),
  },
};

const FAMILIES = words(
  'Smith | Wang | Li | Müller | García | Nguyen | Kowalski | Sato | Ivanov | Rossi | Dubois | Kim | Okafor | Andersen | Jansen | Haddad | Silva | Novák | Larsson | Papadopoulos | Chen | Schröder | Lefèvre | Hernández | Tanaka | van Beethoven | O’Brien | Çelik | Szabó | Murphy | Zhang | Bauer | Costa | Abe | Fischer | Horák | Ahmed | Becker | Yılmaz | Moreau | Virtanen | Popescu | Kravchenko | Mwangi | Olsen | Weiß | Castro | Ito | Park | Singh | Patel | Cohen | Walsh | Brown | Liu | Yang | Huang | Zhao | Wu | Gruber | Keller | Brandt | Vogel | Ricci | Greco | Marino | Blanc | Faure | Perrin | Ortiz | Ramos | Vega',
);
const GIVEN = words('Anna | Jörg | Mei | Paul | Rosa | Ivan | Yuki | Noor | Lars | Chidi');

/** A translation has no word of the title. */
const TRANSLATED = ENGLISH.things.map((_, index) => {
  const german = OTHERS['German'] as typeof ENGLISH;
  return `${german.things[index % 6]} unter veränderten Verhältnissen nach Jahrgang ${index}`;
});

/** The same seed invents the same works. No title occurs twice. */
export function inventWorks(count: number, seed: number): readonly InventedWork[] {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const others = Object.values(OTHERS).flatMap((language) =>
    shuffled(titlesOf(language), random).slice(0, 22),
  );
  const foreign = shuffled(others, random).slice(0, Math.floor(count / 4));
  const all = [...foreign, ...shuffled(titlesOf(ENGLISH), random).slice(0, count - foreign.length)];
  return shuffled(all, random).map(({ title, language }, index) => ({
    name: `10.${1_000 + (index % 37)}/work.${index}`,
    title,
    subtitle: random() < 0.4 ? pick(language.subtitles) : '',
    translated: pick(TRANSLATED),
    authors: Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
      family: pick(FAMILIES),
      given: pick(GIVEN),
    })),
    journal: pick(language.journals),
    year: 1_950 + Math.floor(random() * 75),
    volume: 1 + Math.floor(random() * 200),
    page: 1 + Math.floor(random() * 2_000),
  }));
}

function titlesOf(language: typeof ENGLISH): { readonly title: string; readonly language: typeof ENGLISH }[] {
  return language.frames.flatMap((frame) =>
    language.things.flatMap((thing) =>
      language.places.map((place) => {
        const title = frame.replace('X', thing).replace('Y', place);
        return { title: title.charAt(0).toUpperCase() + title.slice(1), language };
      }),
    ),
  );
}
