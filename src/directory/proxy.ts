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

  /** Asks, and logs what a client must not see of a failure. */
  async function ask<T>(path: string, asked: AskOptions, read: (response: JsonResponse) => T): Promise<T> {
    try {
      return read(await client.getJson(path, asked.signal));
    } catch (error) {
      if (error instanceof GatewayError) log.warn({ err: error, path: excerpt(path) }, error.code);
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

    whichRa: (names, asked = {}) =>
      askAgencies(names, options.whichRa, `${client.base}/doiRA/`.length, (encodedNames) =>
        ask(`/doiRA/${encodedNames}`, asked, ({ status, json }) => {
          if (status !== 200) throw failureOfStatus(status);
          return json;
        }),
      ),

    close: () => client.close(),
  };
}

function readAnswer({ status, json }: JsonResponse, asked: HandleName): WireAnswer {
  let answer: WireAnswer;
  try {
    answer = decodeAnswer(json);
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw status === 200 ? badResponse(error) : failureOfStatus(status);
  }
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
