// Recognizes a thesis and its degree by free words, in the languages of agencies' records.

/** Each row has the words of a few languages. `Synthesis`, `Hypothesis` and the English `these` are no theses. */
const THESIS = anyOf([
  String.raw`(?<!\p{L})(?:doctoral|masters?|bachelors?|phd|diploma)?thes[ie]s(?<!these)(?!\p{L})|dissertation`,
  '(?:doktor|master|magister|bachelor|diplom|abschluss)arbeit|habilitation|hochschulschrift',
  String.raw`(?<!\p{L})(?:thèses?|these de|tes[ie]s?|tesina|tez[ăi]?)(?!\p{L})|mémoire de m|disserta[çc]|trabajo (?:de )?fin de|trabalho de conclus`,
  'proefschrift|scriptie|avhandling|afhandling|examensarbete|masteroppg|väitöskirj|pro gradu|opinnäytety|väitekiri|doktoritöö',
  String.raw`(?:rozprawa|praca) (?:doktor|habilit|magist|dyplom|licencj)|(?:diplomov|bakalá[řr]sk|di[sz]erta[čc]n)\p{L}* pr[áa]c|di[sz]erta[ct]i`,
  String.raw`(?:diploms|magists|magistrsk)\p{L}* (?:rad|delo)|értekezés|szakdolgozat|skripsi`,
  'диссертаци|дисертац|автореферат|διατριβή',
  '(?:学位|學位|博士|硕士|碩士|修士|卒業)(?:学位|學位)?[论論]文|(?:학위|박사|석사) ?(?:학위)? ?논문',
]);

const BELOW_DOCTOR = anyOf([
  'master|magist|maestría|mestrado|ma[iî]trise|máster|laurea|licen|undergraduate|baccalau|bachelor|bakal|honou?rs',
  'diplom|abschluss|grado|gradu(?!ate)|yüksek lisans|szakdolgozat|skripsi|scriptie|examensarbete|opinnäytety',
  // `M.Sc.`, `MA`, `B. Ed.`
  String.raw`(?<![\p{L}.])(?:M\.? ?(?:A|S|Sc|Phil|Eng|Ed|Res|B\.?A|F\.?A|P\.?H|Tech|Arch)|B\.? ?(?:A|S|Sc|Eng|Ed|Tech))(?!\p{L})`,
  'магист|бакалавр|μεταπτυχιακ|硕士|碩士|修士|卒業|学士|學士|석사|학사',
]);
const DOCTOR = anyOf([
  String.raw`do[ck]t(?:or|eur)|doutor|dottorat|(?<!\p{L})ph\.? ?d(?!\p{L})|habilita|доктор|кандидат|διδακτορικ|博士|박사`,
]);

function anyOf(rows: readonly string[]): RegExp {
  return new RegExp(rows.join('|'), 'iu');
}

/** Longer words describe something else. */
const MAX_CHARACTERS = 200;

/** Whether the words say that a work is a thesis: `Doctoral thesis`, `Masterarbeit`, `博士論文`. */
export function isThesis(words: string | null): boolean {
  return words !== null && words.length <= MAX_CHARACTERS && THESIS.test(words.normalize());
}

/** Whether the words name a degree below a doctor's: `Master of Science`, `M.Sc.`, `Bachelor thesis`. */
export function isBelowDoctor(words: string | null): boolean {
  if (words === null || words.length > MAX_CHARACTERS) return false;
  return BELOW_DOCTOR.test(words.normalize()) && !DOCTOR.test(words.normalize());
}
