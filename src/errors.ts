// The one table of errors a client can meet. Whatever is not in it is masked as INTERNAL_SERVER_ERROR.

interface ErrorKind {
  /** what a client reads when nothing more particular can be said; never an upstream's own words */
  readonly message: string;
  /** the same request may succeed later */
  readonly retryable: boolean;
  /** where the whole request fails with this code */
  readonly httpStatus: number;
}

/** In few words: an outage says them once for each field of each name. */
export const ERROR_KINDS = {
  INVALID_DOI: { message: 'The input is not a DOI name.', retryable: false, httpStatus: 400 },
  UPSTREAM_TIMEOUT: {
    message: 'The directory is slow. Try again.',
    retryable: true,
    httpStatus: 504,
  },
  UPSTREAM_UNAVAILABLE: {
    message: 'The directory is down. Try again.',
    retryable: true,
    httpStatus: 503,
  },
  UPSTREAM_RATE_LIMITED: {
    message: 'The directory is busy. Try again.',
    retryable: true,
    httpStatus: 503,
  },
  UPSTREAM_BAD_RESPONSE: {
    message: 'The answer could not be read.',
    retryable: false,
    httpStatus: 502,
  },
  ALIAS_LOOP: {
    message: 'The alias leads back to itself, or through more than 20 handles, and so to nothing.',
    retryable: false,
    httpStatus: 404,
  },
  METADATA_OFF: {
    message: 'This gateway fetches no metadata. Its operator can turn it on with METADATA=yes.',
    retryable: false,
    httpStatus: 400,
  },
  TOO_MANY_LOOKUPS: {
    message: 'The operation needs more look-ups in the directory than this gateway allows.',
    retryable: false,
    httpStatus: 400,
  },
  GATEWAY_BUSY: {
    message: 'The gateway has too much to ask of the directory. Try again.',
    retryable: true,
    httpStatus: 503,
  },
  RATE_LIMITED: {
    message: 'This client has asked for more than it may. Try again later.',
    retryable: true,
    httpStatus: 429,
  },
  UNAUTHENTICATED: {
    message: 'This gateway answers to API keys alone: send yours as Authorization: Bearer.',
    retryable: false,
    httpStatus: 401,
  },
  LIMIT_EXCEEDED: {
    message: 'The request is larger than this gateway allows.',
    retryable: false,
    httpStatus: 400,
  },
  DEADLINE_EXCEEDED: {
    message: 'The operation took longer than this gateway allows. Ask for fewer names at once, or try again.',
    retryable: true,
    httpStatus: 504,
  },
  BAD_REPRESENTATION: {
    message: 'The representation names no entity that this gateway knows.',
    retryable: false,
    httpStatus: 400,
  },
  BAD_USER_INPUT: {
    message: 'The request is not one this gateway understands.',
    retryable: false,
    httpStatus: 400,
  },
  GRAPHQL_PARSE_FAILED: { message: 'The query is not valid GraphQL.', retryable: false, httpStatus: 400 },
  GRAPHQL_VALIDATION_FAILED: {
    message: 'The query does not fit the schema.',
    retryable: false,
    httpStatus: 400,
  },
  PERSISTED_QUERY_NOT_FOUND: {
    message: 'The gateway knows no operation by this id.',
    retryable: false,
    httpStatus: 404,
  },
  INTERNAL_SERVER_ERROR: {
    message: 'Something went wrong in the gateway. The error has been logged.',
    retryable: false,
    httpStatus: 500,
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_KINDS, code);
}

export interface GatewayErrorOptions {
  /** replaces the table's message; must be fit for clients */
  readonly message?: string;
  /** goes to the client beside `code` and `retryable` */
  readonly details?: Readonly<Record<string, unknown>>;
  /** replaces the table's HTTP status, where the whole request fails */
  readonly httpStatus?: number;
  /** goes to the log alone */
  readonly cause?: unknown;
}

/** An expected failure: its message and details are fit for clients, its cause is for the log. */
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
