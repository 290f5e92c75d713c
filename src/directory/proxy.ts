// A directory over HTTP: the REST API and the Which RA service of a DOI proxy such as https://doi.org.

import { handlePath } from '../doi/encode.ts';
import type { HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { MalformedRecordError } from '../handle/json.ts';
import { createRecord, decodeAnswer, echoes, type WireAnswer } from '../handle/record.ts';
import { fitsHttpStatus } from '../handle/response-codes.ts';
import type { Log } from '../log.ts';
import type { AskOptions, Clock, Directory, ResolveOptions } from './directory.ts';
import { createProxyClient, type JsonResponse, type ProxyClientOptions } from './proxy-client.ts';
import { badResponse, failureOfStatus } from './upstream-failure.ts';
import { askAgencies, type WhichRaLimits } from './which-ra.ts';

export interface ProxyDirectoryOptions extends ProxyClientOptions {
  readonly whichRa: WhichRaLimits;
  readonly log: Log;
  readonly clock?: Clock;
}

export function createProxyDirectory(options: ProxyDirectoryOptions): Directory {
  const { log, clock = Date.now } = options;
  const client = createProxyClient(options);

  /** Logs what a client must not see of a failure. */
  function report(failure: GatewayError, path: string): void {
    log.warn({ err: failure, path: excerpt(path) }, failure.code);
  }

  /** Asks, reads the answer, and reports failures. */
  async function ask<T>(path: string, asked: AskOptions, read: (response: JsonResponse) => T): Promise<T> {
    try {
      const response = await client.getJson(path, asked.signal);
      return readOrFail(response, read);
    } catch (error) {
      if (error instanceof GatewayError) report(error, path);
      throw error;
    }
  }

  return {
    description: {
      kind: 'PROXY',
      baseUrls: [client.base],
      records: null,
      description: `The DOI proxy at ${client.base}.`,
    },

    async resolve(name, asked = {}) {
      const path = `/api/handles/${handlePath(name)}${flags(asked)}`;
      const answer = await ask(path, asked, (response) => readAnswer(response, name));
      if (answer.message !== null) {
        log.info({ name: excerpt(name), message: excerpt(answer.message) }, 'message of the directory');
      }
      const { responseCode, values } = answer;
      return createRecord({ responseCode, values, handle: name, fetchedAt: clock() });
    },

    whichRa(names, asked = {}) {
      const fetchAgencies = (encodedNames: string): Promise<unknown> =>
        ask(`/doiRA/${encodedNames}`, asked, ({ status, retryAfter, json }) => {
          if (status !== 200) throw failureOfStatus(status, retryAfter);
          return json;
        });
      const baseBytes = `${client.base}/doiRA/`.length;
      return askAgencies(names, options.whichRa, baseBytes, fetchAgencies, (failure, encodedNames) =>
        report(failure, `/doiRA/${encodedNames}`),
      );
    },

    close: () => client.close(),
  };
}

/** JSON that is not what was asked for says no more than its HTTP status does. */
function readOrFail<T>(response: JsonResponse, read: (response: JsonResponse) => T): T {
  try {
    return read(response);
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
