// On whose behalf a request asks.

import type { Requester } from '../../../directory/requester.ts';
import type { GatewayError } from '../../../errors.ts';
import type { Span } from '../../../tracing/tracer.ts';
import { requestIdOf } from '../counted-request.ts';
import type { RequestAccount } from '../request-account.ts';
import type { Clients, HttpClient, Introduction } from './clients.ts';

/** Finds out who it is when that first matters: for most requests it never does. */
export class HttpRequester implements Requester {
  readonly requestId: string;
  readonly clients: Clients;
  tally: RequestAccount | undefined;
  /** of the request, then of its operation */
  span: Span | undefined;
  #request: Introduction | undefined;
  #client: HttpClient | undefined;

  constructor(request: Introduction, clients: Clients) {
    this.requestId = requestIdOf(request.header('x-request-id'));
    this.clients = clients;
    this.#request = request;
  }

  get client(): HttpClient {
    if (this.#client === undefined) {
      this.#client = this.clients.identify(this.#request as Introduction);
      // What is asked for may go on when the request is long over.
      this.#request = undefined;
    }
    return this.#client;
  }

  /** Why nothing is answered to it; null: it is let in. */
  get refusal(): GatewayError | null {
    return this.clients.haveKeys ? this.client.refusal : null;
  }
}
