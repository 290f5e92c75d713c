// `doi show`: shows all facts about a name, as a card for people or as JSON.

import { lookalikes } from 'doi-names/lookalikes';
import { handleUrl, nameWarnings, recommendedUrl } from 'doi-names/parts';
import { jsonLine, safeText } from '../../safe-text.ts';
import { Failure } from '../gateway-client/batched-queries.ts';
import { type Card, type Cards, lookUpCards, type WorkFacts } from '../gateway-client/look-up-cards.ts';
import { NOT_IN_SAMPLE } from '../gateway-client/look-up-names.ts';
import { type CitedWork, lookUpReferences } from '../gateway-client/look-up-references.ts';
import { isRetracted, updatesText, type WorkUpdates } from '../gateway-client/update-outcome.ts';
import {
  defineCommand,
  GATEWAY_OPTIONS,
  LOOK_UP_FAILED,
  NEGATIVE_ANSWER,
  POSITIVE_ANSWER,
  sampleNote,
} from './command.ts';
import { type Colour, coloured, countText, type Output } from './output.ts';
import { type GivenName, givenNames, LITERAL, problemLine } from './read-names.ts';

export const showCommand = defineCommand({
  name: 'show',
  summary: 'show names: whether they exist, their agencies, their targets',
  operands: 'NAME… | -',
  about: [
    'Reads each NAME in any form, looks it up, and shows the title and kind of the work, its licence, funders, affiliations and abstract, its updates (retracted, corrected), its agency, its target, the values of its record, and warnings. For an absent name it suggests names that you probably meant. It also shows a handle that is not a DOI name (hdl:20.500.12345/1). For -, the names are the lines of standard input, at most 1,000.',
  ],
  options: {
    literal: LITERAL,
    references: {
      type: 'flag',
      meaning:
        'Also show what the work cites: title, year, DOI, and whether each cited work was retracted or corrected.',
    },
    ...GATEWAY_OPTIONS,
    json: {
      type: 'flag',
      meaning:
        'Write one JSON object on each line: {"input", "name", "outcome", "looksLike", "url", "title", "work", "updates", "relations", "agency", "target", "tombstone", "alias", "values", "meant", "warnings", "failures"}, with --references also "references": [{"name", "url", "text", "title", "year", "updates", "failure"}]; "outcome" is found, absent, unknown or invalid.',
    },
  },
  examples: [
    { command: 'doi show 10.1000/182', meaning: 'A name of the bundled sample.' },
    {
      command: 'CONTACT=you@example.org doi show --live https://doi.org/10.1038/nphys1170',
      meaning: 'A name of the live DOI system. Its operators get your address.',
    },
    {
      command: 'doi show --live --references 10.1038/nphys1170',
      meaning: 'Were works that this paper cites retracted?',
    },
    { command: 'cut -f 3 table.tsv | doi show -', meaning: 'The names in a column of a table.' },
    {
      command: 'doi show --json 10.1000/1 10.1000/182 | jq -r .target',
      meaning: 'Where two names lead.',
    },
  ],
  exitCodes: {
    0: 'Every NAME is found.',
    1: 'A NAME is absent, or is neither a DOI name nor another handle.',
    3: 'The look-up of a NAME failed. This code has priority over 1.',
  },
  async run(call) {
    const { options, stdout, stderr, gateway, wait, signal } = call;
    const given = await givenNames(call, options.literal);
    const dois = given.flatMap(({ name }) => name ?? []);
    const handles = given.flatMap(({ handle }) => handle ?? []);
    let cards: Cards = new Map();
    let references: ReferencesByName = new Map();
    if (dois.length + handles.length > 0) {
      const { send, isSample } = await gateway();
      cards = await lookUpCards(dois, handles, { send, isSample, wait, signal });
      if (options.references) {
        const found = dois.filter((name) => cards.get(name)?.outcome === 'found');
        const lists = await lookUpReferences(found, { send, wait, signal });
        references = new Map(found.map((name, at) => [name, lists[at] ?? null]));
      }
    }
    const shown = given.map((item) => {
      const name = item.name ?? item.handle;
      const cited = name === null ? undefined : references.get(name);
      return { ...item, card: name === null ? null : (cards.get(name) ?? null), cited };
    });
    for (const [at, item] of shown.entries()) {
      await stdout.writeStyled(
        options.json ? asJson(item) : `${at === 0 ? '' : '\n'}${inWords(item, stdout)}`,
      );
    }
    if (shown.some(({ card }) => card?.failures.includes(NOT_IN_SAMPLE))) {
      await stderr.write(`doi show: ${sampleNote('doi show --live …')}\n`);
    }
    if (shown.some(({ card, cited }) => card?.outcome === 'unknown' || hasFailed(cited)))
      return LOOK_UP_FAILED;
    return shown.every(({ card }) => card?.outcome === 'found') ? POSITIVE_ANSWER : NEGATIVE_ANSWER;
  },
});

/** What a work cites. Null: its agency gives no list. */
type Cited = readonly CitedWork[] | null | Failure;
type ReferencesByName = ReadonlyMap<string, Cited>;

/** `cited` is undefined if the references were not looked up. */
type ShownName = GivenName & { readonly card: Card | null; readonly cited: Cited | undefined };

function hasFailed(cited: Cited | undefined): boolean {
  if (cited instanceof Failure) return true;
  return cited?.some(({ failure }) => failure !== null) ?? false;
}

function asJson(shown: ShownName): string {
  const { input, problem, looksLike, meant, card, cited } = shown;
  const name = shown.name ?? shown.handle;
  if (name === null || card === null) {
    return jsonLine({ input, name: null, outcome: 'invalid', looksLike, meant, failures: [problem] });
  }
  const warnings = warningsOf(shown).map(({ code, message, repaired }) => ({ code, message, repaired }));
  const failures =
    cited instanceof Failure ? [...card.failures, `references: ${cited.message}`] : card.failures;
  const references = cited === undefined ? {} : { references: cited instanceof Failure ? null : cited };
  return jsonLine({ input, name, looksLike, url: urlOf(shown), ...card, ...references, warnings, failures });
}

function warningsOf({ name }: GivenName) {
  return name === null ? [] : nameWarnings(name, lookalikes);
}

function urlOf({ name, handle }: GivenName): string | null {
  if (name !== null) return recommendedUrl(name);
  return handle === null ? null : handleUrl(handle);
}

const OUTCOMES: Readonly<Record<Card['outcome'], readonly [Colour, string]>> = {
  found: ['green', 'found'],
  absent: ['red', 'absent: there is no such name'],
  unknown: ['yellow', 'cannot tell'],
};

function inWords(shown: ShownName, output: Output): string {
  const { input, card } = shown;
  const name = shown.name ?? shown.handle;
  if (name === null || card === null) {
    const fault = `${coloured(output, 'red', 'no DOI name')}: ${safeText(problemLine(shown))}`;
    return `${coloured(output, 'bold', safeText(input))}\n  ${fault}\n`;
  }
  const [colour, outcome] = OUTCOMES[card.outcome];
  const rows: [label: string, value: string][] = [['outcome', coloured(output, colour, outcome)]];
  const add = (label: string, value: string | null) => {
    if (value !== null && value !== '') rows.push([label, safeText(value)]);
  };
  if (shown.name === null) add('kind', 'a handle that is not a DOI name');
  add('title', card.title);
  for (const [label, value] of factRows(card.work)) add(label, value);
  if (card.updates !== null) rows.push(['updates', updatesInColour(card.updates, output)]);
  for (const { kind, work } of card.relations) add(RELATIONS[kind], work);
  add('link', urlOf(shown));
  add('leads to', card.target);
  add('tombstone', card.tombstone);
  add('alias of', card.alias);
  add('agency', agencyText(card));
  add('record', valuesText(card));
  add('changed', lastChange(card));
  add('did you mean', card.meant.join(' or '));
  for (const { message, repaired } of warningsOf(shown)) {
    add('warning', `${message}${repaired === null ? '' : ` Without it: ${repaired}`}`);
  }
  for (const failure of card.failures) add('not known', failure);
  if (shown.cited instanceof Failure) add('not known', `references: ${shown.cited.message}`);
  else if (shown.cited === null) add('cites', 'not known: the agency gives no list');
  else if (shown.cited !== undefined) rows.push(...citedRows(shown.cited, output));
  const lines = rows.map(([label, value]) => `  ${coloured(output, 'dim', label.padEnd(12))}  ${value}\n`);
  return `${coloured(output, 'bold', safeText(name))}\n${lines.join('')}`;
}

/** The abstract is cut: `--json` has all of it. */
const SHOWN_CHARACTERS = 300;
const SHOWN_VALUES = 5;

function factRows(work: WorkFacts | null): readonly (readonly [label: string, value: string])[] {
  if (work === null) return [];
  const list = (values: readonly string[]): string => {
    const more = values.length - SHOWN_VALUES;
    return `${values.slice(0, SHOWN_VALUES).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  };
  const abstract = work.abstract?.replace(/\s+/g, ' ') ?? '';
  return [
    ['kind', work.kind === 'OTHER' ? '' : work.kind.replaceAll('_', ' ').toLowerCase()],
    ['licence', list(work.licenses)],
    ['funders', list(work.funders)],
    ['affiliations', list(work.affiliations)],
    ['abstract', abstract.length > SHOWN_CHARACTERS ? `${abstract.slice(0, SHOWN_CHARACTERS)}…` : abstract],
  ];
}

/** A row with the number of references, and a row for each reference. */
function citedRows(cited: readonly CitedWork[], output: Output): [label: string, value: string][] {
  const retracted = cited.filter(({ updates }) => updates !== null && isRetracted(updates)).length;
  const total = countText(cited.length, 'reference', 'references');
  const notice = retracted === 0 ? '' : coloured(output, 'red', `, ${retracted} RETRACTED`);
  const rows = cited.map(({ title, text, year, url, updates, failure }, at): [string, string] => {
    const work = title === null ? (text ?? '') : `${title}${year === null ? '' : ` (${year})`}`;
    const facts = [safeText([`${at + 1}.`, work, url ?? ''].filter(Boolean).join(' '))];
    if (updates !== null && updates.notices.length > 0) facts.push(updatesInColour(updates, output));
    if (failure !== null) facts.push(coloured(output, 'yellow', `cannot tell: ${safeText(failure)}`));
    return ['', facts.join('  ')];
  });
  return [['cites', total + notice], ...rows];
}

const RELATIONS = { HAS_PREPRINT: 'preprint', IS_PREPRINT_OF: 'published as' } as const;

function updatesInColour(updates: WorkUpdates, output: Output): string {
  const text = safeText(updatesText(updates));
  if (isRetracted(updates)) return coloured(output, 'red', text);
  return updates.notices.length > 0 ? coloured(output, 'yellow', text) : text;
}

function agencyText({ agency }: Card): string | null {
  if (agency === null) return null;
  return agency.title === null || agency.title === agency.name
    ? agency.name
    : `${agency.name}, ${agency.title}`;
}

/** Example: `2 values: URL, HS_ADMIN` */
function valuesText({ values }: Card): string | null {
  if (values.length === 0) return null;
  const types = [...new Set(values.map(({ type }) => type))];
  return `${countText(values.length, 'value', 'values')}: ${types.join(', ')}`;
}

function lastChange({ values }: Card): string | null {
  const times = values.flatMap(({ timestamp }) => timestamp ?? []);
  return times.toSorted().at(-1) ?? null;
}
