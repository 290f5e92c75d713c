// The requester of an HTTP request.

import type { Requester } from '../../../directory/requester.ts';
import type { GatewayError } from '../../../errors.ts';
import type { Span } from '../../../tracing/tracer.ts';
import { requestIdOf } from '../counted-request.ts';
import type { RequestAccount } from '../request-account.ts';
import type { Clients, HttpClient, Introduction } from './clients.ts';

/** Identifies the client at first use, because most requests do not need the client. */
export class HttpRequester implements Requester {
  readonly requestId: string;
  readonly clients: Clients;
  tally: RequestAccount | undefined;
  /** the span of the request; after it began, the span of its operation */
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
      // A look-up may keep this object after the request has ended, so the request itself is dropped.
      this.#request = undefined;
    }
    return this.#client;
  }

  /** Why the gateway refuses the client. Null: the client is allowed. */
  get refusal(): GatewayError | null {
    return this.clients.haveKeys ? this.client.refusal : null;
  }
}
