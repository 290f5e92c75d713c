// What one request came to: a line of the access log, and what its trace says of it.

import type { AnswerOrigin, LookUpTally } from '../../directory/requester.ts';
import type { OperationOutcome } from '../../graphql/mask-error.ts';

/** Written to the log as it is, so that a request makes no other object for it. */
export class RequestAccount implements LookUpTally {
  readonly requestId: string;
  readonly method: string;
  /** as it is configured, such as `/api/handles/{name}` */
  readonly route: string;
  /** as it came, without the query, which may hold anything */
  readonly path: string;
  /** the name a GraphQL document gives to the operation */
  operation: string | undefined = undefined;
  outcome: OperationOutcome | undefined = undefined;
  status: number | undefined = undefined;
  /** only there where the client went away before its answer ended */
  aborted: true | undefined = undefined;
  /** milliseconds from the request's head to the end of its answer */
  ms = 0;
  /** given to the connection, heads included */
  bytes = 0;
  /** two fields that need the record of one name are two look-ups here */
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
