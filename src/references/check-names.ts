// Whether names that somebody refers to exist: names in, outcomes out.

import { type Ask, AskError, type GraphqlError } from '../ask/ask.ts';
import { CHECK_NAMES, type CheckNamesData } from './name-query.ts';
import { type NameOutcome, outcomeOf, type Reason, reasonOf, withoutAnswer } from './outcome.ts';

export interface AskedGateway {
  readonly ask: Ask;
  /** its directory is the sample that comes with the gateway: what that lacks may well be registered */
  readonly isSample: boolean;
}

/** In one operation: what it costs follows from both. A longer name is an operation of its own. */
const MAX_NAMES = 100;
const MAX_CHARACTERS = 20_000;

/**
 * The outcome of each name, in their order; operations are asked one after the other. Rejects with the signal's
 * reason alone: a gateway that is not there makes names `unknown`.
 * @param names without encoding, as a DOI's `name`; each is asked for once where none stands there twice
 */
export async function checkNames(
  gateway: AskedGateway,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<NameOutcome[]> {
  const outcomes: NameOutcome[] = [];
  for (const part of partsOf(names)) outcomes.push(...(await checkPart(gateway, part, signal)));
  return outcomes;
}

async function checkPart(
  { ask, isSample }: AskedGateway,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<NameOutcome[]> {
  try {
    const { data, errors } = await ask<CheckNamesData>(CHECK_NAMES, { names }, signal);
    if (data === null) {
      const reason = reasonOf(errors[0]);
      return names.map((name) => withoutAnswer(name, 'unknown', reason));
    }
    const errorsOf = byName(errors);
    return names.map((name, position) => {
      const own = errorsOf.get(position) ?? [];
      const answer = data.dois[position] ?? null;
      return answer === null ? unread(name, own[0]) : outcomeOf(answer, own, isSample);
    });
  } catch (error) {
    if (!(error instanceof AskError)) throw error;
    const reason = noGateway(error);
    return names.map((name) => withoutAnswer(name, 'unknown', reason));
  }
}

function unread(name: string, error: GraphqlError | undefined): NameOutcome {
  const reason = reasonOf(error);
  return withoutAnswer(name, reason.code === 'INVALID_DOI' ? 'invalid' : 'unknown', reason);
}

function noGateway({ message }: AskError): Reason {
  return { code: 'NO_GATEWAY', message, retryable: true, retryAfterSeconds: null };
}

/** The errors below each place of `dois`, their paths from there on. */
function byName(errors: readonly GraphqlError[]): Map<number, GraphqlError[]> {
  const found = new Map<number, GraphqlError[]>();
  for (const error of errors) {
    const [field, position, ...path] = error.path ?? [];
    if (field !== 'dois' || typeof position !== 'number') continue;
    const own = found.get(position);
    const here = { ...error, path };
    if (own) own.push(here);
    else found.set(position, [here]);
  }
  return found;
}

function* partsOf(names: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let characters = 0;
  for (const name of names) {
    if (part.length === MAX_NAMES || (part.length > 0 && characters + name.length > MAX_CHARACTERS)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(name);
    characters += name.length;
  }
  if (part.length > 0) yield part;
}
