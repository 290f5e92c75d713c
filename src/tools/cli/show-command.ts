// `doi show`: all facts about a name, as a card for people or as JSON.

import { handleUrl, recommendedUrl } from '../../doi/encoding-forms.ts';
import { lookalikes } from '../../doi/lookalikes.ts';
import { doiWarnings } from '../../doi/warnings.ts';
import { jsonLine, safeText } from '../../safe-text.ts';
import { askCards, type Card, type Cards } from '../gateway-client/look-up-cards.ts';
import { NOT_IN_SAMPLE } from '../gateway-client/look-up-names.ts';
import { isRetracted, updatesText, type WorkUpdates } from '../gateway-client/work-updates.ts';
import { defineCommand, GATEWAY_OPTIONS, sampleNote } from './command.ts';
import { COULD_NOT_ASK, FINE, OTHERWISE } from './exit-codes.ts';
import { type Colour, coloured, type Output } from './output.ts';
import { type GivenName, givenNames, LITERAL, problemLine } from './read-names.ts';

export const showCommand = defineCommand({
  name: 'show',
  summary: 'show names: whether they exist, whose they are, where they lead',
  operands: 'NAME… | -',
  about: [
    'Reads each NAME in any form, looks it up, and shows the title of the work, what became of it (retracted, corrected), its agency, its target, the values of its record, and what is suspicious about it. For a name that is absent it says what was probably meant. A handle that is not a DOI name (hdl:20.500.12345/1) has a card too. For -, the names are the lines of standard input, at most 1,000.',
  ],
  options: {
    literal: LITERAL,
    ...GATEWAY_OPTIONS,
    json: {
      type: 'flag',
      meaning:
        'Write one JSON object a line: {"input", "name", "outcome", "looksLike", "url", "title", "updates", "relations", "agency", "target", "tombstone", "alias", "values", "meant", "warnings", "failures"}; "outcome" is found, absent, unknown or invalid.',
    },
  },
  examples: [
    { command: 'doi show 10.1000/182', meaning: 'A name of the sample that comes with the gateway.' },
    {
      command: 'CONTACT=you@example.org doi show --live https://doi.org/10.1038/nphys1170',
      meaning: 'A name of the live DOI system, with your address for its operators.',
    },
    { command: 'cut -f 3 table.tsv | doi show -', meaning: 'The names of a column.' },
    {
      command: 'doi show --json 10.1000/1 10.1000/182 | jq -r .target',
      meaning: 'Where two names lead.',
    },
  ],
  exitCodes: {
    0: 'Every NAME is found.',
    1: 'A NAME is absent, or is no DOI name and no other handle.',
    3: 'A NAME could not be asked; this comes before 1.',
  },
  async run(call) {
    const { options, stdout, stderr, gateway, wait, signal } = call;
    const given = await givenNames(call, options.literal);
    const dois = given.flatMap(({ name }) => name ?? []);
    const handles = given.flatMap(({ handle }) => handle ?? []);
    let cards: Cards = new Map();
    if (dois.length + handles.length > 0) {
      const { ask, isSample } = await gateway();
      cards = await askCards({ dois, handles }, { ask, isSample, wait, signal });
    }
    const shown = given.map((one) => {
      const named = one.name ?? one.handle;
      return { ...one, card: named === null ? null : (cards.get(named) ?? null) };
    });
    for (const [at, one] of shown.entries()) {
      await stdout.writeStyled(options.json ? asJson(one) : `${at === 0 ? '' : '\n'}${inWords(one, stdout)}`);
    }
    if (shown.some(({ card }) => card?.failures.includes(NOT_IN_SAMPLE))) {
      await stderr.write(`doi show: ${sampleNote('doi show --live …')}\n`);
    }
    if (shown.some(({ card }) => card?.outcome === 'unknown')) return COULD_NOT_ASK;
    return shown.every(({ card }) => card?.outcome === 'found') ? FINE : OTHERWISE;
  },
});

type Shown = GivenName & { readonly card: Card | null };

function asJson(shown: Shown): string {
  const { input, problem, looksLike, meant, card } = shown;
  const name = shown.name ?? shown.handle;
  if (name === null || card === null) {
    return jsonLine({ input, name: null, outcome: 'invalid', looksLike, meant, failures: [problem] });
  }
  const warnings = warningsOf(shown).map(({ code, message, repaired }) => ({ code, message, repaired }));
  return jsonLine({ input, name, looksLike, url: urlOf(shown), ...card, warnings });
}

function warningsOf({ name }: GivenName) {
  return name === null ? [] : doiWarnings(name, lookalikes);
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

function inWords(shown: Shown, output: Output): string {
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
  add('agency', agencyTold(card));
  add('record', valuesTold(card));
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

function agencyTold({ agency }: Card): string | null {
  if (agency === null) return null;
  return agency.title === null || agency.title === agency.name
    ? agency.name
    : `${agency.name}, ${agency.title}`;
}

/** `2 values: URL, HS_ADMIN` */
function valuesTold({ values }: Card): string | null {
  if (values.length === 0) return null;
  const types = [...new Set(values.map(({ type }) => type))];
  return `${values.length} ${values.length === 1 ? 'value' : 'values'}: ${types.join(', ')}`;
}

function lastChange({ values }: Card): string | null {
  return values.reduce<string | null>((last, { timestamp }) => {
    if (timestamp === null) return last;
    return last === null || timestamp > last ? timestamp : last;
  }, null);
}
