// Looks up many agencies in one Which RA request. A refused request is split into two, each with half of the names.

import { canonicalName, type HandleName } from 'doi-names';
import { whichRaPath } from 'doi-names/parts';
import type { BeginsRequest, WhichRaVerdict } from '../directory/directory.ts';
import { asArray, asObject, asString, MalformedRecordError } from '../handle/json.ts';
import { TURNS } from '../turns.ts';
import { badResponse, UpstreamFailure } from './upstream-failure.ts';

export interface WhichRaLimits {
  /** Maximum length of the URL of a request with several names. A name that is longer alone gets its own request. */
  readonly maxUrlBytes: number;
  /** maximum number of names in one request */
  readonly maxNames: number;
}

export interface WhichRaService {
  /** Resolves with the JSON of the response. @param encodedNames the names, percent-encoded and separated by commas */
  fetch(encodedNames: string): Promise<unknown>;
  /** Takes extra requests from the budget before a refused request is split. If this rejects, they are not sent. */
  spendExtra(requests: number): Promise<void>;
  /** Logs a response that does not fit its request. */
  report(failure: UpstreamFailure, encodedNames: string): void;
}

/**
 * Looks up all names in as few requests as the limits allow. Returns one promise for each name, in the same order. A
 * request is refused if its response is a 4xx (but not 429) or does not fit the request. A refused request of several
 * names is split. `sendBatch` limits the number of splits.
 * @param baseBytes length of the URL before the names
 */
export function lookUpAgencies(
  names: readonly HandleName[],
  limits: WhichRaLimits,
  baseBytes: number,
  service: WhichRaService,
): Promise<WhichRaVerdict>[] {
  return pack(names, limits, baseBytes).flatMap((batch) => sendBatch(batch, service));
}

/** Makes the function that divides the names among the requests of `lookUpAgencies`. */
export function createBeginsRequest(limits: WhichRaLimits, baseBytes: number): BeginsRequest {
  const beginsRequest = createBeginsRequestForEncoded(limits, baseBytes);
  return (name) => beginsRequest(whichRaPath(name));
}

interface Item {
  readonly name: HandleName;
  readonly encoded: string;
}

function pack(names: readonly HandleName[], limits: WhichRaLimits, baseBytes: number): Item[][] {
  const beginsRequest = createBeginsRequestForEncoded(limits, baseBytes);
  const groups: Item[][] = [];
  for (const name of names) {
    const item = { name, encoded: whichRaPath(name) };
    if (beginsRequest(item.encoded)) groups.push([item]);
    else groups.at(-1)?.push(item);
  }
  return groups;
}

/** A name joins the request of the previous name if both limits allow it. */
function createBeginsRequestForEncoded({ maxNames, maxUrlBytes }: WhichRaLimits, baseBytes: number) {
  let names = Number.POSITIVE_INFINITY;
  let urlBytes = 0;
  return (encoded: string): boolean => {
    const longer = urlBytes + 1 + encoded.length;
    const begins = names >= maxNames || longer > maxUrlBytes;
    names = begins ? 1 : names + 1;
    urlBytes = begins ? baseBytes + encoded.length : longer;
    return begins;
  };
}

/** To end the look-up of a name takes about 0.1 ms: its callers, the cache. */
const NAMES_PER_TURN = 32;
const waitForTurn = (): Promise<void> => new Promise(TURNS.runLater);

/** The splits of a batch are enough to isolate this many refused names, wherever they are. */
const REFUSED_NAMES = 15;

/**
 * Sends one request of many names, and the requests for its halves. It takes log2(n) splits to isolate one name among n
 * names. If the directory answers no request and refuses more than 2 * REFUSED_NAMES, it probably refuses all. Then no
 * more requests of the batch are split.
 */
function sendBatch(batch: readonly Item[], service: WhichRaService): Promise<WhichRaVerdict>[] {
  let splitsLeft = REFUSED_NAMES * Math.ceil(Math.log2(batch.length));
  let refusals = 0;
  let hasAnswer = false;

  async function sendOnce(group: readonly Item[]): Promise<WhichRaVerdict[]> {
    const encodedNames = group.map(({ encoded }) => encoded).join(',');
    const json = await service.fetch(encodedNames);
    try {
      const answers = readAnswers(json, group);
      hasAnswer = true;
      return answers;
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error;
      const failure = badResponse(error);
      service.report(failure, encodedNames);
      throw failure;
    }
  }

  /** Returns whether to split a failed request. If true, the two new requests were taken from the budget. */
  async function trySplit(error: unknown): Promise<boolean> {
    if (!isRefusal(error)) return false;
    refusals += 1;
    if (splitsLeft === 0 || (!hasAnswer && refusals > 2 * REFUSED_NAMES)) return false;
    splitsLeft -= 1;
    await service.spendExtra(2);
    return true;
  }

  function send(group: readonly Item[]): Promise<WhichRaVerdict>[] {
    const answers = sendOnce(group);
    const inHalves = answers.then(
      () => null,
      async (error: unknown) => {
        if (group.length === 1 || !(await trySplit(error))) throw error;
        const middle = Math.ceil(group.length / 2);
        return [...send(group.slice(0, middle)), ...send(group.slice(middle))];
      },
    );
    // The failure of a half can come before the turn of its names, which then reports it.
    let turn: Promise<unknown> = inHalves.then(
      (halves) => void halves?.forEach(ignoreFailure),
      () => {},
    );
    return group.map(async (_, position) => {
      if (position > 0 && position % NAMES_PER_TURN === 0) turn = turn.then(waitForTurn);
      await turn;
      const halves = await inHalves;
      return (halves === null ? (await answers)[position] : await halves[position]) as WhichRaVerdict;
    });
  }

  return send(batch);
}

function ignoreFailure(verdict: Promise<WhichRaVerdict>): void {
  verdict.catch(() => {});
}

/** Whether a single name can have caused the failure. A failing or overloaded directory must not get more requests. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure)) return false;
  const { kind, status } = error;
  return kind === 'CONTENT' || (kind === 'STATUS' && status !== null && status < 500 && status !== 429);
}

function readAnswers(json: unknown, group: readonly Item[]): WhichRaVerdict[] {
  const answers = asArray(json, 'the Which RA answer');
  if (answers.length !== group.length) {
    throw new MalformedRecordError(`${group.length} names requested, ${answers.length} answered`);
  }
  return group.map(({ name }, position) => decode(answers[position], name));
}

const STATUS_TEXTS: Readonly<Record<string, Exclude<WhichRaVerdict['status'], 'FOUND'>>> = {
  'Invalid DOI': 'INVALID_DOI',
  'DOI does not exist': 'DOES_NOT_EXIST',
  Unknown: 'UNKNOWN',
};

function decode(wire: unknown, name: HandleName): WhichRaVerdict {
  const { DOI: echo, RA: label, status } = asObject(wire, 'an agency answer');
  if (canonicalName(asString(echo, 'the member "DOI"') as HandleName) !== canonicalName(name)) {
    throw new MalformedRecordError('the answer has another DOI than the request');
  }
  const text = asString(label ?? status, 'the agency or status');
  const known = Object.hasOwn(STATUS_TEXTS, text) ? STATUS_TEXTS[text] : undefined;
  if (known) return { status: known, agency: null };
  if (typeof label !== 'string') throw new MalformedRecordError('the status is unknown');
  return { status: 'FOUND', agency: text };
}
