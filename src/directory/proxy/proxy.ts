// A directory over HTTP: the REST API and the Which RA service of a DOI proxy such as https://doi.org.

import { handlePath } from '../../doi/encoding-forms.ts';
import type { HandleName } from '../../doi/name.ts';
import type { GatewayError } from '../../errors.ts';
import { MalformedRecordError } from '../../handle/json.ts';
import { createRecord, decodeAnswer, echoes, type WireAnswer } from '../../handle/record.ts';
import { fitsHttpStatus, isOutOfOrder } from '../../handle/response-codes.ts';
import type { Log } from '../../log.ts';
import type { Clock, Directory, ResolveOptions } from '../directory.ts';
import { createWhichRaAnswer } from '../which-ra-answer.ts';
import { createProxyBase, type DirectoryMetrics } from './proxy-base.ts';
import type { JsonResponse, ProxyClientOptions } from './proxy-client.ts';
import { REAL_TIME, type Time } from './question-deadline.ts';
import { createRefusalLog } from './refusal-log.ts';
import { createRequestQueue } from './request-queue.ts';
import { createRequestRate, type RequestRateOptions } from './request-rate.ts';
import { badResponse, failureOfStatus } from './upstream-failure.ts';
import { createUpstreamPolicy } from './upstream-policy.ts';
import { askAgencies, createWhichRaMeter, type WhichRaLimits } from './which-ra-requests.ts';

export interface ProxyDirectoryOptions extends Omit<ProxyClientOptions, 'baseUrl'> {
  /** in the order in which they are asked */
  readonly baseUrls: readonly URL[];
  /** of one question to the directory, waiting for its turn and all attempts included */
  readonly deadlineMs: number;
  /** attempts after the first */
  readonly retries: number;
  /** null: no limit */
  readonly requestsPerSecond?: number | null;
  /** where replicas count their requests per second together */
  readonly redis?: RequestRateOptions['redis'];
  readonly whichRa: WhichRaLimits;
  readonly log: Log;
  readonly metrics?: DirectoryMetrics | null;
  readonly clock?: Clock;
  readonly time?: Time;
  readonly random?: () => number;
}

/** Places in the lines of all clients at the most. */
const MAX_WAITING = 10_000;

export function createProxyDirectory(options: ProxyDirectoryOptions): Directory {
  const { log, clock = Date.now, time = REAL_TIME, random = Math.random, metrics = null } = options;
  const { requestsPerSecond = null, redis } = options;
  const rate =
    requestsPerSecond === null ? null : createRequestRate({ perSecond: requestsPerSecond, redis, time });
  const refusals = createRefusalLog(log, time);
  const timeoutMs = Math.min(options.timeoutMs, options.deadlineMs);
  const bases = options.baseUrls.map((baseUrl) =>
    createProxyBase({ ...options, baseUrl, timeoutMs, time, metrics }),
  );
  const upstream = createUpstreamPolicy({
    bases,
    queue: createRequestQueue({
      slots: options.maxConnections,
      maxWaiting: MAX_WAITING,
      rate,
      time,
      counts: metrics?.directoryQueue ?? { waiting: 0, running: 0, takenBack: 0, refused: 0 },
      onRefused: refusals.count,
    }),
    retries: options.retries,
    deadlineMs: options.deadlineMs,
    time,
    random,
    report,
  });
  const baseUrls = bases.map(({ base }) => base);
  const baseBytes = Math.max(...baseUrls.map((base) => `${base}/doiRA/`.length));

  /** Logs what a client must not see of a failure. */
  function report(failure: GatewayError, path: string, base: string | null): void {
    log.warn({ err: failure, path: excerpt(path), ...(base === null ? {} : { base }) }, failure.code);
  }

  return {
    description: {
      kind: 'PROXY',
      baseUrls,
      records: null,
      description: `The DOI proxy at ${baseUrls.join(', then the one at ')}.`,
    },

    async resolve(name, asked = {}) {
      const path = `/api/handles/${handlePath(name)}${flags(asked)}`;
      const read = (response: JsonResponse) => readOrFail(response, () => readAnswer(response, name));
      const isPoor = ({ responseCode }: WireAnswer) => isOutOfOrder(responseCode);
      const answer = await upstream.ask({ face: 'handles', path, read, isPoor }, asked);
      if (answer.message !== null) {
        log.info({ name: excerpt(name), message: excerpt(answer.message) }, 'message of the directory');
      }
      const { responseCode, values } = answer;
      return createRecord({ responseCode, values, handle: name, fetchedAt: clock() });
    },

    whichRa(names, asked = {}) {
      const read = ({ status, retryAfter, json }: JsonResponse): unknown => {
        if (status !== 200) throw failureOfStatus(status, retryAfter);
        return json;
      };
      const fetchAgencies = (encodedNames: string): Promise<unknown> =>
        upstream.ask({ face: 'doiRA', path: `/doiRA/${encodedNames}`, read }, asked);
      const verdicts = askAgencies(
        names,
        options.whichRa,
        baseBytes,
        fetchAgencies,
        (failure, encodedNames) => report(failure, `/doiRA/${encodedNames}`, null),
      );
      return verdicts.map(async (verdict) => createWhichRaAnswer(await verdict, clock()));
    },

    whichRaMeter: () => createWhichRaMeter(options.whichRa, baseBytes),

    status: () => ({ available: bases.some(({ circuit }) => !circuit.isOpen()) }),

    async close() {
      upstream.close();
      refusals.close();
      await Promise.all(bases.map((base) => base.close()));
    },
  };
}

/** JSON that is not what was asked for says no more than its HTTP status does. */
function readOrFail<T>(response: JsonResponse, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw response.status === 200
      ? badResponse(error)
      : failureOfStatus(response.status, response.retryAfter);
  }
}

function readAnswer({ status, json }: JsonResponse, asked: HandleName): WireAnswer {
  const answer = decodeAnswer(json);
  if (!fitsHttpStatus(answer.responseCode, status)) {
    throw badResponse(`response code ${answer.responseCode} came with HTTP status ${status}`);
  }
  if (!echoes(answer, asked)) throw badResponse('the answer is about another name');
  return answer;
}

function flags({ auth, cert }: ResolveOptions): string {
  const on = [...(auth ? ['auth=true'] : []), ...(cert ? ['cert=true'] : [])];
  return on.length === 0 ? '' : `?${on.join('&')}`;
}

function excerpt(text: string): string {
  return text.slice(0, 200);
}
