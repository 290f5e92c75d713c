// `doi show`: all facts about a name, as a card for people or as JSON.

import { recommendedUrl } from '../../doi/encoding-forms.ts';
import type { DoiName } from '../../doi/name.ts';
import { doiWarnings } from '../../doi/warnings.ts';
import { jsonLine, safeText } from '../../safe-text.ts';
import { BatchedQueries, Failure, failureOf, type NamesQuery } from '../gateway-client/batched-queries.ts';
import { NOT_IN_SAMPLE, tombstoneAt } from '../gateway-client/look-up-names.ts';
import type { GraphqlError, SendOperation } from '../gateway-client/send-operation.ts';
import { defineCommand, GATEWAY_OPTIONS } from './command.ts';
import { COULD_NOT_ASK, FINE, OTHERWISE } from './exit-codes.ts';
import { type Colour, coloured, type Output } from './output.ts';
import { type GivenName, givenNames, LITERAL, problemLine } from './read-names.ts';

interface CardValue {
  readonly index: number;
  readonly type: string;
  /** null if the data is not text */
  readonly text: string | null;
  readonly timestamp: string | null;
}

interface Card {
  readonly outcome: 'found' | 'absent' | 'unknown';
  readonly agency: { readonly name: string; readonly title: string | null } | null;
  readonly alias: string | null;
  readonly target: string | null;
  /** the page at `target` that says that the content is gone; null: none */
  readonly tombstone: string | null;
  readonly values: readonly CardValue[];
  readonly meant: readonly string[];
  /** failed fields and their reasons */
  readonly failures: readonly string[];
}

interface AskCardsOptions {
  readonly ask: SendOperation;
  readonly isSample: boolean;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
}

/** In the order of the names. */
async function askCards(names: readonly DoiName[], options: AskCardsOptions): Promise<readonly Card[]> {
  const answers = await new BatchedQueries(options).ask(names, CARD);
  return answers.map((answer) => {
    if (answer instanceof Failure) return { ...NOTHING, failures: [answer.message] };
    const isMissed = options.isSample && answer.outcome === 'absent';
    return isMissed ? { ...NOTHING, failures: [NOT_IN_SAMPLE] } : answer;
  });
}

const NOTHING: Card = {
  ...{ outcome: 'unknown', agency: null, alias: null, target: null, tombstone: null },
  ...{ values: [], meant: [], failures: [] },
};

interface CardFields {
  readonly exists: boolean | null;
  readonly registrationAgency: Card['agency'];
  readonly alias: { readonly handle: string } | null;
  readonly redirect: { readonly url: string | null } | null;
  readonly record: { readonly values: readonly CardValue[] } | null;
  readonly suggestions: readonly { readonly name: string }[] | null;
}

const CARD: NamesQuery<CardFields, Card> = {
  query: `query Cards($names: [String!]!) {
    dois(inputs: $names, form: NAME) {
      exists
      registrationAgency { name title }
      alias { handle }
      redirect { url }
      record { values { index type text timestamp } }
      suggestions { name }
    }
  }`,
  most: 10,
  read(fields, errors) {
    if (fields === null || fields.exists === null) return failureToAsk(errors);
    const target = fields.redirect?.url ?? null;
    return {
      outcome: fields.exists ? 'found' : 'absent',
      agency: fields.registrationAgency,
      alias: fields.alias?.handle ?? null,
      target,
      tombstone: target === null ? null : (tombstoneAt(target)?.meaning ?? null),
      values: fields.record?.values ?? [],
      meant: fields.suggestions?.map(({ name }) => name) ?? [],
      failures: errors.map(({ path, message }) => `${path?.[2]}: ${message}`),
    };
  },
};

function failureToAsk(errors: readonly GraphqlError[]): Failure {
  const error = errors.find(({ path }) => path?.[2] === 'exists' || path?.length === 2);
  return error ? failureOf(error) : new Failure('The gateway gave no answer.', 'later');
}

export const showCommand = defineCommand({
  name: 'show',
  summary: 'show names: whether they exist, whose they are, where they lead',
  operands: 'NAME… | -',
  about: [
    'Reads each NAME in any form, looks it up, and shows its agency, its target, the values of its record, and what is suspicious about it. For a name that is absent it says what was probably meant. For -, the names are the lines of standard input, at most 1,000.',
  ],
  options: {
    literal: LITERAL,
    ...GATEWAY_OPTIONS,
    json: {
      type: 'flag',
      meaning:
        'Write one JSON object a line: {"input", "name", "outcome", "looksLike", "url", "agency", "target", "tombstone", "alias", "values", "meant", "warnings", "failures"}; "outcome" is found, absent, unknown or invalid.',
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
    1: 'A NAME is absent, or is no DOI name.',
    3: 'A NAME could not be asked; this comes before 1.',
  },
  async run(call) {
    const { options, stdout, stderr, gateway, wait, signal } = call;
    const given = await givenNames(call, options.literal);
    const names = given.flatMap(({ name }) => name ?? []);
    const cards = new Map<DoiName, Card>();
    if (names.length > 0) {
      const { ask, isSample } = await gateway();
      const told = await askCards(names, { ask, isSample, wait, signal });
      for (const [at, card] of told.entries()) cards.set(names[at] as DoiName, card);
    }
    const shown = given.map((one) => ({
      ...one,
      card: one.name === null ? null : (cards.get(one.name) ?? null),
    }));
    for (const [at, one] of shown.entries()) {
      await stdout.writeStyled(options.json ? asJson(one) : `${at === 0 ? '' : '\n'}${inWords(one, stdout)}`);
    }
    if (shown.some(({ card }) => card?.failures.includes(NOT_IN_SAMPLE))) {
      await stderr.write(`doi show: ${ASK_LIVE}\n`);
    }
    if (shown.some(({ card }) => card?.outcome === 'unknown')) return COULD_NOT_ASK;
    return shown.every(({ card }) => card?.outcome === 'found') ? FINE : OTHERWISE;
  },
});

const ASK_LIVE =
  'the bundled sample holds a few records alone. To ask the live DOI system:  CONTACT=you@example.org doi show --live …';

type Shown = GivenName & { readonly card: Card | null };

function asJson({ input, name, problem, looksLike, meant, card }: Shown): string {
  if (name === null || card === null) {
    return jsonLine({ input, name, outcome: 'invalid', looksLike, meant, failures: [problem] });
  }
  const warnings = doiWarnings(name).map(({ code, message, repaired }) => ({ code, message, repaired }));
  return jsonLine({ input, name, looksLike, url: recommendedUrl(name), ...card, warnings });
}

const OUTCOMES: Readonly<Record<Card['outcome'], readonly [Colour, string]>> = {
  found: ['green', 'found'],
  absent: ['red', 'absent: there is no such name'],
  unknown: ['yellow', 'cannot tell'],
};

function inWords(shown: Shown, output: Output): string {
  const { input, name, card } = shown;
  if (name === null || card === null) {
    const told = `${coloured(output, 'red', 'no DOI name')}: ${safeText(problemLine(shown))}`;
    return `${coloured(output, 'bold', safeText(input))}\n  ${told}\n`;
  }
  const [colour, outcome] = OUTCOMES[card.outcome];
  const rows: [label: string, value: string][] = [['outcome', coloured(output, colour, outcome)]];
  const add = (label: string, value: string | null) => {
    if (value !== null && value !== '') rows.push([label, safeText(value)]);
  };
  add('link', recommendedUrl(name));
  add('leads to', card.target);
  add('tombstone', card.tombstone);
  add('alias of', card.alias);
  add('agency', agencyTold(card));
  add('record', valuesTold(card));
  add('changed', lastChange(card));
  add('did you mean', card.meant.join(' or '));
  for (const { message, repaired } of doiWarnings(name)) {
    add('warning', `${message}${repaired === null ? '' : ` Without it: ${repaired}`}`);
  }
  for (const failure of card.failures) add('not known', failure);
  const lines = rows.map(([label, value]) => `  ${coloured(output, 'dim', label.padEnd(12))}  ${value}\n`);
  return `${coloured(output, 'bold', safeText(name))}\n${lines.join('')}`;
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
