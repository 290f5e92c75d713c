// Asks for all that a card shows of a name.

import type { Ask, GraphqlError } from '../../ask/ask.ts';
import { EachAsker, Failure, failureOf, type Question } from '../../ask/ask-each.ts';
import { NOT_IN_SAMPLE } from '../../ask/look-up-names.ts';
import { tombstoneAt } from '../../ask/tombstones.ts';
import type { DoiName } from '../../doi/name.ts';

export interface CardValue {
  readonly index: number;
  readonly type: string;
  /** null where the data is no text */
  readonly text: string | null;
  readonly timestamp: string | null;
}

export interface Card {
  readonly outcome: 'found' | 'absent' | 'unknown';
  readonly agency: { readonly name: string; readonly title: string | null } | null;
  readonly alias: string | null;
  readonly target: string | null;
  /** what says at `target` that the content is gone */
  readonly tombstone: string | null;
  readonly values: readonly CardValue[];
  readonly meant: readonly string[];
  /** what could not be asked, and why */
  readonly failures: readonly string[];
}

export interface AskCardsOptions {
  readonly ask: Ask;
  readonly isSample: boolean;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
}

/** In the order of the names. */
export async function askCards(
  names: readonly DoiName[],
  options: AskCardsOptions,
): Promise<readonly Card[]> {
  const answers = await new EachAsker(options).ask(names, CARD);
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

const CARD: Question<CardFields, Card> = {
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
