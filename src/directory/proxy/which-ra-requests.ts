// The Which RA service: one request for many names, and what to do when its answer does not fit.

import { whichRaPath } from '../../doi/encoding-forms.ts';
import { canonicalName, type HandleName } from '../../doi/name.ts';
import type { GatewayError } from '../../errors.ts';
import { MalformedRecordError } from '../../handle/json.ts';
import { asArray, asObject, asString } from '../../handle/shape.ts';
import type { WhichRaMeter, WhichRaVerdict } from '../directory.ts';
import { badResponse, UpstreamFailure } from './upstream-failure.ts';

export interface WhichRaLimits {
  /** of one request's URL, in bytes; a name that alone is longer gets a request of its own */
  readonly maxUrlBytes: number;
  /** of one request */
  readonly maxNames: number;
}

/** Fetches the JSON of a Which RA request, given the comma-separated names as they stand in its URL. */
export type FetchAgencies = (encodedNames: string) => Promise<unknown>;

/**
 * Asks for all names in as few requests as the limits allow; a promise a name, in their order. Where a
 * request of several names is answered with an HTTP error or what does not fit, each of its names is asked
 * for alone.
 * @param baseBytes length of the URL before the names
 * @param report is told of answers that do not fit, for the log
 */
export function askAgencies(
  names: readonly HandleName[],
  limits: WhichRaLimits,
  baseBytes: number,
  fetchAgencies: FetchAgencies,
  report: (failure: GatewayError, encodedNames: string) => void = () => {},
): Promise<WhichRaVerdict>[] {
  const ask: Ask = async (group) => {
    const encodedNames = group.map(({ encoded }) => encoded).join(',');
    const wire = await fetchAgencies(encodedNames);
    try {
      return readAnswers(wire, group);
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error;
      const failure = badResponse(error);
      report(failure, encodedNames);
      throw failure;
    }
  };
  return pack(toItems(names), limits, baseBytes).flatMap((group) => askGroup(group, ask));
}

/** Packs names one after the other, as `askAgencies` does: whether a name goes into a new request. */
export function createWhichRaMeter(limits: WhichRaLimits, baseBytes: number): WhichRaMeter {
  const packing = createPacking(limits, baseBytes);
  return (name) => packing.beginsRequest(whichRaPath(name));
}

interface Item {
  readonly name: HandleName;
  readonly encoded: string;
}

function toItems(names: readonly HandleName[]): Item[] {
  return names.map((name) => ({ name, encoded: whichRaPath(name) }));
}

function pack(items: readonly Item[], limits: WhichRaLimits, baseBytes: number): Item[][] {
  const packing = createPacking(limits, baseBytes);
  const groups: Item[][] = [];
  for (const item of items) {
    if (packing.beginsRequest(item.encoded)) groups.push([item]);
    else groups.at(-1)?.push(item);
  }
  return groups;
}

/** The rule by which names share requests: each joins the one before it where that has room for it. */
function createPacking({ maxNames, maxUrlBytes }: WhichRaLimits, baseBytes: number) {
  let names = Number.POSITIVE_INFINITY;
  let urlBytes = 0;
  return {
    beginsRequest(encoded: string): boolean {
      const longer = urlBytes + 1 + encoded.length;
      const begins = names >= maxNames || longer > maxUrlBytes;
      names = begins ? 1 : names + 1;
      urlBytes = begins ? baseBytes + encoded.length : longer;
      return begins;
    },
  };
}

type Ask = (group: readonly Item[]) => Promise<WhichRaVerdict[]>;

function askGroup(group: readonly Item[], ask: Ask): Promise<WhichRaVerdict>[] {
  const answers = ask(group);
  return group.map(async (item, position) => {
    try {
      return (await answers)[position] as WhichRaVerdict;
    } catch (error) {
      if (group.length === 1 || !isWorthAskingAlone(error)) throw error;
      const [answer] = await ask([item]);
      return answer as WhichRaVerdict;
    }
  });
}

/**
 * A request that was answered badly may be one name's fault. A directory that nobody can reach, or that is
 * overrun, must not be asked even more.
 */
function isWorthAskingAlone(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure) || error.code === 'UPSTREAM_RATE_LIMITED') return false;
  return error.kind === 'STATUS' || error.kind === 'CONTENT';
}

function readAnswers(wire: unknown, group: readonly Item[]): WhichRaVerdict[] {
  const answers = asArray(wire, 'the Which RA answer');
  if (answers.length !== group.length) {
    throw new MalformedRecordError(`${group.length} names asked for, ${answers.length} answered`);
  }
  return group.map(({ name }, position) => decode(answers[position], name));
}

const STATUS_TEXTS: Readonly<Record<string, Exclude<WhichRaVerdict['status'], 'FOUND'>>> = {
  'Invalid DOI': 'INVALID_DOI',
  'DOI does not exist': 'DOES_NOT_EXIST',
  Unknown: 'UNKNOWN',
};

function decode(wire: unknown, asked: HandleName): WhichRaVerdict {
  const { DOI: echo, RA: label, status } = asObject(wire, 'an agency answer');
  if (canonicalName(asString(echo, 'the echo') as HandleName) !== canonicalName(asked)) {
    throw new MalformedRecordError('the echo is another name than was asked for');
  }
  const text = asString(label ?? status, 'the agency or status');
  const known = Object.hasOwn(STATUS_TEXTS, text) ? STATUS_TEXTS[text] : undefined;
  if (known) return { status: known, agency: null };
  if (typeof label !== 'string') throw new MalformedRecordError('the status is none that is known');
  return { status: 'FOUND', agency: text };
}
