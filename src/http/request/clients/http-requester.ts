// The requester of an HTTP request: its id, its client, and its counts for the access log.

import type { Requester } from '../../../directory/requester.ts';
import type { GatewayError } from '../../../errors.ts';
import type { Span } from '../../../tracing/tracer.ts';
import type { AccessLogEntry } from '../access-log-entry.ts';
import { requestIdOf } from '../request-id.ts';
import type { ClientRequest, Clients, HttpClient } from './identify-client.ts';

/** Identifies the client at first use, because most requests do not need the client. */
export class HttpRequester implements Requester {
  readonly requestId: string;
  readonly clients: Clients;
  tally: AccessLogEntry | undefined;
  /** the span of the request, and later of its GraphQL operation */
  span: Span | undefined;
  #request: ClientRequest | undefined;
  #client: HttpClient | undefined;

  constructor(request: ClientRequest, clients: Clients) {
    this.requestId = requestIdOf(request.header('x-request-id'));
    this.clients = clients;
    this.#request = request;
  }

  get client(): HttpClient {
    if (this.#client === undefined) {
      this.#client = this.clients.identify(this.#request as ClientRequest);
      // A look-up can keep this object longer than the request. Without this line, the request would stay in memory too.
      this.#request = undefined;
    }
    return this.#client;
  }

  /** Why the gateway refuses the client. Null: the client is allowed. */
  get refusal(): GatewayError | null {
    return this.clients.haveKeys ? this.client.refusal : null;
  }
}
