// The requester of an HTTP request: its id, its client, and its counts for the access log.

import type { AnswerOrigin, LookUpTally, Requester } from '../../../directory/requester.ts';
import type { GatewayError } from '../../../errors.ts';
import type { OperationOutcome } from '../../../graphql/mask-error.ts';
import type { Span } from '../../../tracing/tracer.ts';
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
      // A look-up can keep this object longer than the request runs. Without this line, the request would stay in memory too.
      this.#request = undefined;
    }
    return this.#client;
  }

  /** Why the gateway refuses the client. Null: the client is allowed. */
  get refusal(): GatewayError | null {
    return this.clients.haveKeys ? this.client.refusal : null;
  }
}

/**
 * One line of the access log. Its properties are the fields of the line. The log omits undefined properties. Traces use
 * some of its values as attributes.
 */
export class AccessLogEntry implements LookUpTally {
  readonly requestId: string;
  readonly method: string;
  /** the pattern of the route, such as `/api/handles/{name}` */
  readonly route: string;
  /** without the query, which can contain private data */
  readonly path: string;
  /** the operation name of GraphQL */
  operation: string | undefined = undefined;
  outcome: OperationOutcome | undefined = undefined;
  status: number | undefined = undefined;
  /** True if the client aborted before the end of the response, else undefined. */
  aborted: true | undefined = undefined;
  /** milliseconds from the head of the request to the end of the response */
  ms = 0;
  /** bytes of the response, with its head */
  bytes = 0;
  /** the look-ups of all fields; if two fields need the same record, these are two look-ups */
  fieldLookUps = 0;
  fromMemory = 0;
  fromShared = 0;
  stale = 0;
  fromDirectory = 0;
  directoryRequests = 0;
  client: string | undefined = undefined;
  traceId: string | undefined = undefined;

  constructor(requestId: string, method: string, route: string, path: string) {
    this.requestId = requestId;
    this.method = method;
    this.route = route;
    this.path = path;
  }

  lookedUp(lookUps: number): void {
    this.fieldLookUps += lookUps;
  }

  answered(by: AnswerOrigin, lookUps: number): void {
    this[COUNTERS[by]] += lookUps;
  }

  sent(): void {
    this.directoryRequests += 1;
  }

  /** A getter on the prototype, so it is no field of the line. */
  get answeredBy(): Readonly<Record<AnswerOrigin, number>> {
    const { fromMemory: memory, fromShared: shared, stale, fromDirectory: directory } = this;
    return { memory, shared, stale, directory };
  }
}

const COUNTERS = {
  memory: 'fromMemory',
  shared: 'fromShared',
  stale: 'stale',
  directory: 'fromDirectory',
} as const satisfies Record<AnswerOrigin, keyof AccessLogEntry>;
