// `doi show`: shows all facts about a name, as a card for people or as JSON.

import { handleUrl, recommendedUrl } from '../../doi/encoding-forms.ts';
import { nameWarnings } from '../../doi/find/other-readings.ts';
import { lookalikes } from '../../doi/lookalikes.ts';
import { jsonLine, safeText } from '../../safe-text.ts';
import { type Card, type Cards, lookUpCards } from '../gateway-client/look-up-cards.ts';
import { NOT_IN_SAMPLE } from '../gateway-client/look-up-names.ts';
import { isRetracted, updatesText, type WorkUpdates } from '../gateway-client/update-outcome.ts';
import {
  defineCommand,
  GATEWAY_OPTIONS,
  LOOK_UP_FAILED,
  NEGATIVE_ANSWER,
  SUCCESS,
  sampleNote,
} from './command.ts';
import { type Colour, coloured, countText, type Output } from './output.ts';
import { type GivenName, givenNames, LITERAL, problemLine } from './read-names.ts';

export const showCommand = defineCommand({
  name: 'show',
  summary: 'show names: whether they exist, their agencies, their targets',
  operands: 'NAME… | -',
  about: [
    'Reads each NAME in any form, looks it up, and shows the title of the work, its updates (retracted, corrected), its agency, its target, the values of its record, and warnings. For an absent name it suggests names that you probably meant. It also shows a handle that is not a DOI name (hdl:20.500.12345/1). For -, the names are the lines of standard input, at most 1,000.',
  ],
  options: {
    literal: LITERAL,
    ...GATEWAY_OPTIONS,
    json: {
      type: 'flag',
      meaning:
        'Write one JSON object on each line: {"input", "name", "outcome", "looksLike", "url", "title", "updates", "relations", "agency", "target", "tombstone", "alias", "values", "meant", "warnings", "failures"}; "outcome" is found, absent, unknown or invalid.',
    },
  },
  examples: [
    { command: 'doi show 10.1000/182', meaning: 'A name of the bundled sample.' },
    {
      command: 'CONTACT=you@example.org doi show --live https://doi.org/10.1038/nphys1170',
      meaning: 'A name of the live DOI system. Its operators get your address.',
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
    if (dois.length + handles.length > 0) {
      const { send, isSample } = await gateway();
      cards = await lookUpCards(dois, handles, { send, isSample, wait, signal });
    }
    const shown = given.map((item) => {
      const name = item.name ?? item.handle;
      return { ...item, card: name === null ? null : (cards.get(name) ?? null) };
    });
    for (const [at, item] of shown.entries()) {
      await stdout.writeStyled(
        options.json ? asJson(item) : `${at === 0 ? '' : '\n'}${inWords(item, stdout)}`,
      );
    }
    if (shown.some(({ card }) => card?.failures.includes(NOT_IN_SAMPLE))) {
      await stderr.write(`doi show: ${sampleNote('doi show --live …')}\n`);
    }
    if (shown.some(({ card }) => card?.outcome === 'unknown')) return LOOK_UP_FAILED;
    return shown.every(({ card }) => card?.outcome === 'found') ? SUCCESS : NEGATIVE_ANSWER;
  },
});

type ShownName = GivenName & { readonly card: Card | null };

function asJson(shown: ShownName): string {
  const { input, problem, looksLike, meant, card } = shown;
  const name = shown.name ?? shown.handle;
  if (name === null || card === null) {
    return jsonLine({ input, name: null, outcome: 'invalid', looksLike, meant, failures: [problem] });
  }
  const warnings = warningsOf(shown).map(({ code, message, repaired }) => ({ code, message, repaired }));
  return jsonLine({ input, name, looksLike, url: urlOf(shown), ...card, warnings });
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
  const lines = rows.map(([label, value]) => `  ${coloured(output, 'dim', label.padEnd(12))}  ${value}\n`);
  return `${coloured(output, 'bold', safeText(name))}\n${lines.join('')}`;
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
