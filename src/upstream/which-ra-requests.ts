// The Which RA service: one request for many names, and what to do when its answer does not fit.

import type { WhichRaMeter, WhichRaVerdict } from '../directory/directory.ts';
import { whichRaPath } from '../doi/encoding-forms.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import type { GatewayError } from '../errors.ts';
import { MalformedRecordError } from '../handle/json.ts';
import { asArray, asObject, asString } from '../handle/shape.ts';
import { badResponse, UpstreamFailure } from './upstream-failure.ts';

export interface WhichRaLimits {
  /** of one request's URL, in bytes; a name that alone is longer gets a request of its own */
  readonly maxUrlBytes: number;
  /** of one request */
  readonly maxNames: number;
}

export interface WhichRaService {
  /** Fetches the JSON of a Which RA request, given the comma-separated names as they stand in its URL. */
  fetch(encodedNames: string): Promise<unknown>;
  /** Is asked before requests that are sent only since another was refused; what it rejects with ends them. */
  payExtra(requests: number): Promise<void>;
  /** is told of answers that do not fit, for the log */
  report(failure: GatewayError, encodedNames: string): void;
}

/**
 * Asks for all names in as few requests as the limits allow; a promise a name, in their order. A request of several
 * names that is refused (a 4xx, or an answer that does not fit) is asked again in halves, and so on: `createBatch`
 * says how far.
 * @param baseBytes length of the URL before the names
 */
export function askAgencies(
  names: readonly HandleName[],
  limits: WhichRaLimits,
  baseBytes: number,
  service: WhichRaService,
): Promise<WhichRaVerdict>[] {
  const ask: Ask = async (group) => {
    const encodedNames = group.map(({ encoded }) => encoded).join(',');
    const wire = await service.fetch(encodedNames);
    try {
      return readAnswers(wire, group);
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error;
      const failure = badResponse(error);
      service.report(failure, encodedNames);
      throw failure;
    }
  };
  const payExtra = (requests: number) => service.payExtra(requests);
  return pack(toItems(names), limits, baseBytes).flatMap((group) =>
    askGroup(group, createBatch(group.length, ask, payExtra)),
  );
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

/** The names of one request, however many it takes in the end. */
interface Batch {
  readonly ask: Ask;
  /** Whether a part that failed is worth asking for in halves. Pays for them. */
  maySplit(error: unknown): Promise<boolean>;
}

/** So many refused names are found among those of a batch, wherever they stand. */
const REFUSED_NAMES = 15;

/**
 * Halving finds a name among n in log2(n) steps of two requests. A directory that has refused 31 parts, down to
 * sixteenths, and answered none refuses whatever it is asked: that ends after 60 requests more.
 */
function createBatch(names: number, askOnce: Ask, payExtra: WhichRaService['payExtra']): Batch {
  let splitsLeft = REFUSED_NAMES * Math.ceil(Math.log2(names));
  let refused = 0;
  let isAnswered = false;
  return {
    async ask(group) {
      const answers = await askOnce(group);
      isAnswered = true;
      return answers;
    },
    async maySplit(error) {
      if (!isRefusal(error)) return false;
      refused += 1;
      if (splitsLeft === 0 || (!isAnswered && refused > 2 * REFUSED_NAMES)) return false;
      splitsLeft -= 1;
      await payExtra(2);
      return true;
    },
  };
}

function askGroup(group: readonly Item[], batch: Batch): Promise<WhichRaVerdict>[] {
  const answers = batch.ask(group);
  const inHalves = answers.then(
    () => null,
    async (error: unknown) => {
      if (group.length === 1 || !(await batch.maySplit(error))) throw error;
      const middle = Math.ceil(group.length / 2);
      return [...askGroup(group.slice(0, middle), batch), ...askGroup(group.slice(middle), batch)];
    },
  );
  return group.map(async (_, position) => {
    const halves = await inHalves;
    return (halves === null ? (await answers)[position] : await halves[position]) as WhichRaVerdict;
  });
}

/** One name may be why a request is refused. A directory that fails, or is overrun, must not be asked even more. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure)) return false;
  const { kind, status } = error;
  return kind === 'CONTENT' || (kind === 'STATUS' && status !== null && status < 500 && status !== 429);
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
