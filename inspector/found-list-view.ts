// A list of DOI names: a row for each name, and the whole list as CSV and BibTeX.

import type { ListedDoi, ListedWork, Match } from './answers.ts';
import { copyButton } from './copy.ts';
import { csvOf } from './csv.ts';
import { button, el, show } from './dom.ts';
import { downloadButton } from './download.ts';
import { graphiqlAddress } from './gateway.ts';
import { inspectLink } from './offer.ts';
import { table, tableRow } from './table.ts';
import { bdi, link } from './text.ts';
import { outcomeInWords, outcomeView } from './updates-view.ts';
import { count, statusInWords } from './words.ts';
import { yearInWords } from './work-view.ts';

/** Servers do not accept the address of a longer text. */
const MAX_ADDRESS_CHARACTERS = 4_000;
const MAX_WRITTEN_CHARACTERS = 100;
const MAX_TITLE_CHARACTERS = 300;

export interface Row {
  readonly match: Match;
  /** Shows the directory's response, or why it failed. */
  put(doi: ListedDoi | null, message: string | null): void;
  /** Returns true if the directory said that there is no such name. */
  isAbsent(): boolean;
  /** Shows the work. @param words the reason if there is no title @param unknown the reason if the updates are unknown */
  putWork(work: ListedWork | null, words: string, unknown: string): void;
}

/**
 * @param more shows the next rows
 * @param bibtex resolves with the entries of all names; null if there is no entry
 */
export function foundListView(
  text: string,
  matches: readonly Match[],
  isEmbedded: boolean,
  more: () => void,
  bibtex: () => Promise<string | null>,
) {
  const answers: (ListedDoi | null)[] = matches.map(() => null);
  const works: (ListedWork | null)[] = matches.map(() => null);
  const firsts = firstRows(matches);
  const heads = ['DOI name', 'Title', 'Year', 'Updates', 'In the directory', 'Registered by', 'Leads to'];
  const list = table('found-list', 'Each name in the text has a row, in the order of the text.', heads, []);
  const body = list.tBodies[0];
  const rest = el('p', {});
  const failure = el('div', {});
  const note = el('p', { class: 'missing' });
  const csv = el('div', {});
  const shownCsv = () => {
    const pre = el('pre', { class: 'csv', tabindex: 0, 'aria-label': 'The list as CSV' }, csvText());
    show(csv, pre);
    return pre;
  };
  const element = el(
    'section',
    { class: 'plate', 'aria-labelledby': 'found-title' },
    el(
      'div',
      { class: 'column-head' },
      el('h2', { id: 'found-title', tabindex: -1 }, `${count(matches.length, 'DOI name')} in this text`),
      el(
        'div',
        { class: 'list-tools' },
        copyButton(csvText, 'the list as CSV', shownCsv, 'Copy as CSV'),
        downloadButton(csvText, 'dois.csv', 'text/csv', 'Download CSV'),
        downloadButton(bibtex, 'dois.bib', 'application/x-bibtex', 'Download BibTeX'),
      ),
    ),
    list,
    rest,
    note,
    failure,
    csv,
    text.length <= MAX_ADDRESS_CHARACTERS &&
      el(
        'p',
        {},
        el('a', { class: 'quiet', href: graphiqlAddress('InspectText', { text }) }, 'Open in GraphiQL'),
      ),
  );
  let shownCount = 0;

  return { element, nextRows, counts, putFailure, putNote };

  function nextRows(max: number): readonly Row[] {
    const from = shownCount;
    shownCount = Math.min(matches.length, shownCount + max);
    const rows = matches.slice(from, shownCount).map((match, index) => createRow(match, from + index));
    const next = Math.min(max, matches.length - shownCount);
    const words = `Show the next ${next.toLocaleString('en')} of ${count(matches.length, 'name')}`;
    show(rest, next > 0 && button(words, more, { class: 'quiet' }));
    return rows;
  }

  function createRow(match: Match, index: number): Row {
    const waiting = () => el('span', { class: 'waiting' }, 'looking up …');
    const [notes, standing] = [el('div', {}), waiting()];
    const [title, year, updates] = [el('span', {}), el('span', {}), el('span', {})];
    const [agency, target] = [waiting(), waiting()];
    show(notes, ...notesOn(match, index));
    const head = el(
      'div',
      {},
      el('span', { class: 'row-number' }, `${index + 1}. `),
      inspectLink(match.doi),
      notes,
    );
    body?.append(tableRow(heads, [head, title, year, updates, standing, agency, target]));
    return {
      match,
      put(doi, message) {
        answers[index] = doi;
        const cells = [standing, agency, target];
        for (const cell of cells) cell.className = '';
        show(notes, ...notesOn(match, index), ...warningNote(doi));
        show(standing, doi ? existence(doi.exists) : missing(message));
        show(agency, doi && agencyOf(doi));
        show(target, doi && targetOf(doi, message));
      },
      isAbsent: () => answers[index]?.exists === false,
      putWork(work, words, unknown) {
        works[index] = work;
        const named = work?.metadata?.title ?? null;
        const issued = work?.metadata?.issued;
        show(title, named === null ? missing(words) : bdi(named.slice(0, MAX_TITLE_CHARACTERS)));
        show(year, issued && yearInWords(issued.year));
        show(updates, work?.updates ? outcomeView(work.updates) : unknown !== '' && missing(unknown));
      },
    };
  }

  function notesOn({ text: written, repaired, doi }: Match, index: number) {
    const first = firsts.get(doi.canonicalName) ?? index;
    const isPlain = written.endsWith(doi.name);
    const shortened =
      written.length > MAX_WRITTEN_CHARACTERS ? `${written.slice(0, MAX_WRITTEN_CHARACTERS)}…` : written;
    return [
      first !== index && el('small', {}, `the same DOI as in row ${first + 1}`),
      !isPlain && el('small', {}, 'written ', bdi(shortened, 'ltr')),
      repaired && el('small', {}, 'put together from parts of the text: check it'),
    ];
  }

  function existence(exists: boolean | null) {
    if (exists === null) return missing(null);
    const kind = exists ? 'found' : isEmbedded ? 'elsewhere' : 'absent';
    return el(
      'span',
      { class: `standing ${kind}` },
      el('span', { class: 'sign', 'aria-hidden': 'true' }, exists ? '✓' : isEmbedded ? '–' : '✕'),
      statusInWords(exists ? 'SUCCESS' : 'HANDLE_NOT_FOUND', isEmbedded),
    );
  }

  function counts() {
    return { lookedUp: shownCount, registered: answers.filter((answer) => answer?.exists === true).length };
  }

  /** @param words about all rows */
  function putNote(words: string) {
    show(note, words);
  }

  function putFailure(view: Element | null) {
    show(failure, view);
  }

  function csvText() {
    const head = [
      'DOI name',
      'Link',
      'As written',
      'From character',
      'To character',
      'Put together',
      'In the directory',
      'Title',
      'Year',
      'Updates',
      'Registered by',
      'Leads to',
    ];
    const yesOrNo = (value: boolean | null) => (value === null ? null : value ? 'yes' : 'no');
    const rows = matches.map(({ doi, text: written, start, end, repaired }, index) => {
      const answer = answers[index] ?? null;
      const { metadata = null, updates = null } = works[index] ?? {};
      return [
        ...[doi.name, doi.url, written, start + 1, end, yesOrNo(repaired), yesOrNo(answer?.exists ?? null)],
        ...[metadata?.title ?? null, metadata?.issued?.year ?? null],
        ...[
          updates && outcomeInWords(updates),
          answer?.registrationAgency?.name ?? null,
          answer?.redirect?.url ?? null,
        ],
      ];
    });
    return csvOf([head, ...rows]);
  }
}

/** The index of the first row of each DOI, by canonical name. */
function firstRows(matches: readonly Match[]) {
  const firsts = new Map<string, number>();
  matches.forEach(({ doi }, index) => {
    if (!firsts.has(doi.canonicalName)) firsts.set(doi.canonicalName, index);
  });
  return firsts;
}

function warningNote(doi: ListedDoi | null) {
  const warnings = doi?.warnings.length ?? 0;
  return [
    warnings > 0 && el('small', { class: 'row-warning' }, `${count(warnings, 'warning')}: open it to see`),
  ];
}

function agencyOf({ registrationAgency }: ListedDoi) {
  if (!registrationAgency) return missing('not known');
  return bdi(registrationAgency.title ?? registrationAgency.name);
}

function targetOf({ redirect, exists }: ListedDoi, message: string | null) {
  if (redirect?.url) return link(redirect.url, 120);
  return missing(redirect && exists ? 'nowhere' : (message ?? 'not known'));
}

function missing(words: string | null) {
  return el('span', { class: 'missing' }, bdi(words ?? 'not known now'));
}
