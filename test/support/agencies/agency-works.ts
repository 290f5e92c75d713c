// Works of the agencies, made from a seed. The title of a work contains its number, so a test sees a title that moves
// from one name to another.

import type { UpdateOutcome } from '../../../src/works/retractions-and-updates.ts';
import { randomNumbers, shuffled } from '../random-numbers.ts';

export type WorkKind = 'PLAIN' | 'ALIAS' | 'COMMA' | 'REFUSED' | 'ABSENT';

/** A name, and the expected result of the gateway. */
export interface AgencyWork {
  readonly name: string;
  readonly agency: string;
  readonly number: number;
  readonly kind: WorkKind;
  /** null: the agency has no such work */
  readonly title: string | null;
  /** for an alias, the name of the work that the agency responds with */
  readonly primary: string | null;
  /** null: the agency has no such work */
  readonly outcome: UpdateOutcome | null;
  /** the names that it cites; left out: the agency gives no list */
  readonly cites?: readonly string[];
}

export interface WorksOptions {
  readonly count: number;
  readonly agency: 'Crossref' | 'DataCite';
  readonly seed?: number;
  /** the share of each kind in all names; the other names are plain */
  readonly shares?: Partial<Record<WorkKind, number>>;
  /** the number of the first work */
  readonly firstNumber?: number;
}

/** The shares of faulty names that issue 22 states. DataCite has no names with commas, and no aliases. */
export const FAULTY_NAMES = {
  Crossref: { ALIAS: 0.05, COMMA: 0.02, REFUSED: 0.01, ABSENT: 0.03 },
  DataCite: { ABSENT: 0.03 },
} as const;

const PREFIXES = { Crossref: '10.5555', DataCite: '10.5072' };

/** Ends of plain names that a URL or a filter has to escape. */
const ENDS = {
  Crossref: [
    '',
    '.A',
    '<1::AID-B7>3.0.CO;2-O',
    '(SICI)',
    '+b',
    '%41',
    '&rows=1',
    '?q',
    '#f',
    '\'x"',
    '/../b',
    ':doi',
  ],
  DataCite: ['', '.A', ';b', '(c)', '/d', ':e', '*f', '~g', '$h', '=i'],
};

export function agencyWorks(options: WorksOptions): AgencyWork[] {
  const { count, agency, seed = 1, shares = {}, firstNumber = 0 } = options;
  const kinds: WorkKind[] = [];
  for (const [kind, share] of Object.entries(shares)) {
    for (let made = 0; made < Math.round(share * count); made += 1) kinds.push(kind as WorkKind);
  }
  while (kinds.length < count) kinds.push('PLAIN');
  return shuffled(kinds, randomNumbers(seed)).map((kind, at) => agencyWork(agency, kind, firstNumber + at));
}

function agencyWork(agency: 'Crossref' | 'DataCite', kind: WorkKind, number: number): AgencyWork {
  const digits = String(number).padStart(6, '0');
  const ends = ENDS[agency];
  const end = kind === 'PLAIN' ? (ends[number % ends.length] ?? '') : '';
  const middle = kind === 'COMMA' ? `${digits},b` : digits;
  const stem = `${PREFIXES[agency]}/${kind.toLowerCase()}`;
  const known = { agency, kind, number, name: `${stem}-${middle}${end}` };
  if (kind === 'ABSENT') return { ...known, title: null, primary: null, outcome: null };
  const primary = kind === 'ALIAS' ? `${PREFIXES[agency]}/primary-${digits}` : null;
  return { ...known, title: `Work ${digits}`, primary, outcome: outcomeOf(agency, kind, number) };
}

/** The entry of an alias describes another name. */
function outcomeOf(agency: string, kind: WorkKind, number: number): UpdateOutcome {
  if (agency !== 'Crossref' || kind === 'ALIAS') return 'NOT_REPORTED';
  return isRetracted(number) ? 'RETRACTED' : 'NONE_RECORDED';
}

export function isRetracted(number: number): boolean {
  return number % 10 === 0;
}
