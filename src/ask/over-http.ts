// Asks a gateway that runs somewhere else.

import { type Ask, AskError, graphqlRequest, readAnswer } from './ask.ts';

export interface RemoteGateway {
  /** of its GraphQL endpoint */
  readonly url: string;
  readonly apiKey?: string | undefined;
}

/** Rejects with the signal's reason when that was what ended it. */
export function askOverHttp({ url, apiKey }: RemoteGateway): Ask {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return async (query, variables, signal) => {
    try {
      return await readAnswer(await fetch(graphqlRequest(url, { query, variables }, signal, headers)), url);
    } catch (error) {
      if (error instanceof AskError) throw error;
      signal?.throwIfAborted();
      throw new AskError(`${url} could not be reached${causeTold(error)}.`, { cause: error });
    }
  };
}

/** ` (ECONNREFUSED)`; empty where the system names no cause. */
function causeTold(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? ` (${cause.code})` : '';
}
