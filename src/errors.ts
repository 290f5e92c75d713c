// The table of all errors that clients can get. Every other error is masked as INTERNAL_SERVER_ERROR.

export interface ErrorKind {
  /** the default message for clients; it never contains text of the directory */
  readonly message: string;
  /** whether the same request can succeed later */
  readonly retryable: boolean;
  /** the HTTP status if the whole request fails with this code */
  readonly httpStatus: number;
  /** a column of docs/errors.md */
  readonly meaning: string;
  /** a column of docs/errors.md */
  readonly remedy: string;
}

/** Messages are short, because in an outage each failed field of each name has a message in the response. */
export const ERROR_KINDS = {
  INVALID_DOI: {
    message: 'The input is not a DOI name.',
    retryable: false,
    httpStatus: 400,
    meaning:
      'An input is not a DOI name. `reason` is a `DOIProblemCode`, `position` a UTF-16 offset into the input, `meant` the names that were probably meant.',
    remedy: 'Correct the input. Offer the reader the names in `meant`.',
  },
  UPSTREAM_TIMEOUT: {
    message: 'The directory is slow. Try again.',
    retryable: true,
    httpStatus: 504,
    meaning: 'The directory, or an agency, did not respond in time. `host` names a service that failed.',
    remedy: 'Try again.',
  },
  UPSTREAM_UNAVAILABLE: {
    message: 'The directory is down. Try again.',
    retryable: true,
    httpStatus: 503,
    meaning:
      'The directory, or an agency, cannot be reached or fails. With `heldBack: true`, the gateway has already waited up to 8 seconds.',
    remedy: 'Try again. With `heldBack: true`, wait `retryAfterSeconds` first: then the next probe is due.',
  },
  UPSTREAM_RATE_LIMITED: {
    message: 'The directory is busy. Try again.',
    retryable: true,
    httpStatus: 503,
    meaning: 'The directory, or an agency, wants fewer requests.',
    remedy: 'Try again. If the error has `retryAfterSeconds`, wait this time first.',
  },
  UPSTREAM_BAD_RESPONSE: {
    message: 'The response could not be read.',
    retryable: false,
    httpStatus: 502,
    meaning: 'The gateway cannot read the response of the directory or an agency.',
    remedy: 'Report it to the operator of the gateway: the log has the cause.',
  },
  ALIAS_LOOP: {
    message: 'The alias leads back to itself, or through too many handles.',
    retryable: false,
    httpStatus: 404,
    meaning: 'An alias leads back to itself, or through too many handles. The message says how many.',
    remedy: 'Report it to the registrant of the name.',
  },
  METADATA_OFF: {
    message: 'This gateway fetches no metadata. Its operator can turn it on with METADATA=yes.',
    retryable: false,
    httpStatus: 400,
    meaning: 'The operation has a field for metadata, and `METADATA` is `no`.',
    remedy: 'Leave the field out, or ask the operator to set `METADATA=yes`.',
  },
  TOO_MANY_LOOKUPS: {
    message: 'The operation needs more look-ups in the directory than this gateway allows.',
    retryable: false,
    httpStatus: 400,
    meaning:
      'The operation needs more than `MAX_LOOKUPS` look-ups, or more than `MAX_METADATA` pieces of metadata.',
    remedy: 'Split the list of names over several requests.',
  },
  GATEWAY_BUSY: {
    message: 'Too many look-ups wait for the directory. Try again.',
    retryable: true,
    httpStatus: 503,
    meaning: 'The gateway has no free memory, or too many look-ups wait for the directory.',
    remedy: 'Try again after `retryAfterSeconds`.',
  },
  RATE_LIMITED: {
    message: 'This client has no look-ups left for now. Try again later.',
    retryable: true,
    httpStatus: 429,
    meaning: 'The client has no look-ups left for now. Cached records are still served.',
    remedy: 'Try again after `retryAfterSeconds`.',
  },
  UNAUTHENTICATED: {
    message: 'This gateway needs an API key. Send yours as Authorization: Bearer.',
    retryable: false,
    httpStatus: 401,
    meaning: 'The gateway needs an API key, or does not know this key.',
    remedy: 'Send your key as `Authorization: Bearer`.',
  },
  LIMIT_EXCEEDED: {
    message: 'The request is larger than this gateway allows.',
    retryable: false,
    httpStatus: 400,
    meaning:
      'The body is larger than `MAX_BODY_BYTES` or has more than 100,000 parts (objects, arrays and commas), the document has more than 10,000 tokens, the operation has more than 50,000 fields with those of its fragments in each place, its price is above the limit, or the response is larger than 32 MiB. If the error has the path of a field, the record of the field has too many values.',
    remedy: 'Split the list of names over several requests, or select fewer fields.',
  },
  DEADLINE_EXCEEDED: {
    message: 'The operation took longer than this gateway allows. Look up fewer names at once, or try again.',
    retryable: true,
    httpStatus: 504,
    meaning:
      'The operation took longer than `OPERATION_DEADLINE_MS`. Fields that were ready keep their value.',
    remedy: 'Try again, or look up fewer names at once.',
  },
  BAD_REPRESENTATION: {
    message: 'The gateway cannot read the reference to an entity.',
    retryable: false,
    httpStatus: 400,
    meaning:
      'The gateway cannot read how a federated gateway refers to an entity. `reason` and `position` are as for `INVALID_DOI`.',
    remedy: 'Correct the reference in the other subgraph.',
  },
  BAD_USER_INPUT: {
    message: 'The gateway does not understand the request.',
    retryable: false,
    httpStatus: 400,
    meaning: 'The request, a variable or an argument has a form that the gateway does not understand.',
    remedy: 'Correct the request.',
  },
  GRAPHQL_PARSE_FAILED: {
    message: 'The query is not valid GraphQL.',
    retryable: false,
    httpStatus: 400,
    meaning: 'The query is not valid GraphQL.',
    remedy: 'Correct the query.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    message: 'The query does not fit the schema.',
    retryable: false,
    httpStatus: 400,
    meaning: 'The query does not fit the schema.',
    remedy: 'Correct the query. [schema.graphql](../schema.graphql) has all fields.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    message: 'The gateway has no operation with this id.',
    retryable: false,
    httpStatus: 404,
    meaning: 'The manifest does not have the id, or no client has registered a query with this hash.',
    remedy: 'Send the whole query. With `PERSISTED_ONLY`, send an id of the manifest.',
  },
  INTERNAL_SERVER_ERROR: {
    message: 'Something went wrong in the gateway. The error has been logged.',
    retryable: false,
    httpStatus: 500,
    meaning: 'A fault of the gateway. The log has the error.',
    remedy: 'Report it with the `X-Request-Id` of the response.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_KINDS, code);
}

export interface GatewayErrorOptions {
  /** replaces the message of the table; clients see it */
  readonly message?: string;
  /** more members of `extensions`, in addition to `code` and `retryable` */
  readonly details?: Readonly<Record<string, unknown>>;
  /** replaces the HTTP status of the table */
  readonly httpStatus?: number;
  /** only for the log */
  readonly cause?: unknown;
}

/** An expected failure. Clients get its message and its details. The cause is only for the log. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly httpStatus: number;

  constructor(code: ErrorCode, options: GatewayErrorOptions = {}) {
    super(options.message ?? ERROR_KINDS[code].message, { cause: options.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.details = options.details ?? {};
    this.httpStatus = options.httpStatus ?? ERROR_KINDS[code].httpStatus;
  }

  get retryable(): boolean {
    return ERROR_KINDS[this.code].retryable;
  }
}

/** Whether a look-up failed because a circuit was open. Another look-up would wait for the next probe too. */
export function isHeldBack(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.details['heldBack'] === true;
}

/** The error if the gateway does not search for the works of references in words. */
export function matchingOff(): GatewayError {
  return new GatewayError('METADATA_OFF', {
    message:
      'This gateway does not search for references. Its operator can turn the search on with DOI_DIRECTORY_URL=https://doi.org, METADATA_API=yes and MATCHING=yes.',
  });
}

/** The error for a request that gets no memory now. */
export function gatewayBusy(): GatewayError {
  return new GatewayError('GATEWAY_BUSY', {
    message: 'The gateway has no free memory now. Try again.',
    details: { retryAfterSeconds: 10 },
  });
}
