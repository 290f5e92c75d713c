// The results of one request: its line in the access log, and attributes of its trace.

import type { AnswerOrigin, LookUpTally } from '../../directory/requester.ts';
import type { OperationOutcome } from '../../graphql/mask-error.ts';

/** The log writes this object without changes, so that a request needs no other object. */
export class RequestAccount implements LookUpTally {
  readonly requestId: string;
  readonly method: string;
  /** the pattern of the route, such as `/api/handles/{name}` */
  readonly route: string;
  /** the path of the request, without the query, because a query may contain private data */
  readonly path: string;
  /** the name a GraphQL document gives to the operation */
  operation: string | undefined = undefined;
  outcome: OperationOutcome | undefined = undefined;
  status: number | undefined = undefined;
  /** True if the client left before the end of the response, else undefined. */
  aborted: true | undefined = undefined;
  /** milliseconds from the request's head to the end of its answer */
  ms = 0;
  /** bytes written to the connection, including the head */
  bytes = 0;
  /** If two fields need the record of one name, they count as two look-ups. */
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
} as const satisfies Record<AnswerOrigin, keyof RequestAccount>;
