// One line of the access log. Traces use some of its values as attributes.

import type { AnswerOrigin, LookUpTally } from '../../directory/requester.ts';
import type { OperationOutcome } from '../../graphql/mask-error.ts';

/** The properties are the fields of the log line. The log omits undefined properties. */
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
  /** True if the client left before the end of the response, else undefined. */
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
}

const COUNTERS = {
  memory: 'fromMemory',
  shared: 'fromShared',
  stale: 'stale',
  directory: 'fromDirectory',
} as const satisfies Record<AnswerOrigin, keyof AccessLogEntry>;
