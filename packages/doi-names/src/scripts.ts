// Finds the script of a character, and words that mix scripts (UTS #39, section 5).

import { isAscii, WORD } from './name.ts';

/** The general categories of graphic characters. DOI names have no other characters. */
const CATEGORIES = 'Ll Lu Lt Lm Lo Nd Nl No Mn Mc Me Pd Ps Pe Pi Pf Pc Po Sm Sc Sk So Zs'
  .split(' ')
  .map((name) => [name, new RegExp(`\\p{General_Category=${name}}`, 'u')] as const);

/** The general category of a graphic character: `Ll` for a lower-case letter. */
export const categoryOf = withMemory((character: string): string => {
  // If no pattern matches, the character is unassigned (Cn) in the runtime's version of Unicode.
  return CATEGORIES.find(([, pattern]) => pattern.test(character))?.[0] ?? 'Cn';
});

/** At this number of results, the memory is cleared. Names have few different characters. */
const MAX_REMEMBERED = 4_000;

/** The same function with a memory of its results. The texts are characters, or names of scripts. */
export function withMemory<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const stored = known.get(text);
    if (stored !== undefined) return stored;
    if (known.size === MAX_REMEMBERED) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}

/** The scripts of Unicode 17. `groups` leaves out a script that the runtime does not know. */
const SCRIPTS = `
  Latin Common Inherited Greek Cyrillic Han Hiragana Katakana Hangul Bopomofo Arabic Hebrew
  Adlam Ahom Anatolian_Hieroglyphs Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Beria_Erfe Bhaiksuki
  Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Coptic
  Cuneiform Cypriot Cypro_Minoan Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic
  Ethiopic Garay Georgian Glagolitic Gothic Grantha Gujarati Gunjala_Gondi Gurmukhi Gurung_Khema Hanifi_Rohingya
  Hanunoo Hatran Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Kawi Kayah_Li
  Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao Lepcha Limbu Linear_A Linear_B Lisu Lycian
  Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui
  Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari
  New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic
  Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya
  Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada
  Shavian Siddham Sidetic SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac
  Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Tai_Yo Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh
  Tirhuta Todhri Tolong_Siki Toto Tulu_Tigalari Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square`
  .trim()
  .split(/\s+/);

type Script = readonly [name: string, pattern: RegExp];

interface Group {
  readonly pattern: RegExp;
  readonly scripts: readonly Script[];
}

const SCRIPTS_PER_GROUP = 13;

let knownGroups: readonly Group[] | undefined;

/**
 * The scripts in groups. One test shows whether a character belongs to a group, so a search needs few tests. The groups
 * are built at the first use, because building them takes milliseconds.
 */
function groups(): readonly Group[] {
  knownGroups ??= Array.from({ length: Math.ceil(SCRIPTS.length / SCRIPTS_PER_GROUP) }, (_, index) => {
    const names = SCRIPTS.slice(index * SCRIPTS_PER_GROUP, (index + 1) * SCRIPTS_PER_GROUP);
    const scripts = names.flatMap((name) => {
      try {
        return [[name, new RegExp(`\\p{Script_Extensions=${name}}`, 'u')] as const];
      } catch {
        return [];
      }
    });
    return { pattern: new RegExp(`[${scripts.map(([, { source }]) => source).join('')}]`, 'u'), scripts };
  });
  return knownGroups;
}

/** The scripts in which a character is used, such as `Latin`; `Common` or `Inherited` if all scripts use it. */
export const scriptsOf = withMemory((character: string): readonly string[] =>
  groups()
    .filter(({ pattern }) => pattern.test(character))
    .flatMap(({ scripts }) => scripts.filter(([, pattern]) => pattern.test(character)))
    .map(([name]) => name),
);

const OF_ALL_SCRIPTS = '\\p{scx=Common}\\p{scx=Inherited}';
const OF_ONE_SCRIPT = new RegExp(`[^${OF_ALL_SCRIPTS}]`, 'u');

const patternOutside = (...names: readonly string[]) =>
  new RegExp(`[^${OF_ALL_SCRIPTS}${names.map((name) => `\\p{scx=${name}}`).join('')}]`, 'u');

/** Each pattern finds a character outside one set of scripts that are usual together. Latin is most frequent. */
const OUTSIDE_USUAL_SCRIPTS = [
  patternOutside('Latin'),
  patternOutside('Latin', 'Han', 'Hiragana', 'Katakana'),
  patternOutside('Latin', 'Han', 'Bopomofo'),
  patternOutside('Latin', 'Han', 'Hangul'),
];

const patternOutsideScript = withMemory((script) => patternOutside(script));

/**
 * Whether a word has one script, or scripts that are usual together: Latin with Chinese, Japanese or Korean. UTS #39
 * calls this the Highly Restrictive level. The function does not check which characters UTS #39 allows.
 */
function isHighlyRestrictive(word: string): boolean {
  if (OUTSIDE_USUAL_SCRIPTS.some((pattern) => !pattern.test(word))) return true;
  return strayCharacters(word).includes(null);
}

/** For each script of the first character with a script: the first character outside the script, or null. */
function strayCharacters(word: string): readonly (string | null)[] {
  const first = OF_ONE_SCRIPT.exec(word)?.[0] ?? '';
  return scriptsOf(first).map((name) => patternOutsideScript(name).exec(word)?.[0] ?? null);
}

/** UTF-16 offset of the first word that mixes scripts; -1 if there is none. */
export function firstMixedWord(text: string): number {
  if (isAscii(text)) return -1;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isAscii(word) && !isHighlyRestrictive(word)) return index;
  }
  return -1;
}

/** In a longer word, `scriptsOfWord` reads this many characters, and then only the results of `strayCharacters`. */
const MAX_CHARACTERS_READ = 100;

/** The scripts of a word in order of appearance, without `Common` and `Inherited`. */
export function scriptsOfWord(word: string): string[] {
  const characters = [...word.slice(0, MAX_CHARACTERS_READ)];
  if (word.length > MAX_CHARACTERS_READ)
    characters.push(...strayCharacters(word).filter((stray) => stray !== null));
  const names = new Set(characters.flatMap((character) => scriptsOf(character)));
  return [...names].filter((name) => name !== 'Common' && name !== 'Inherited');
}
