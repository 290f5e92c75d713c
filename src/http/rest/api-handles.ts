// GET /api/handles/{name}: the same bytes as the REST API of the DOI proxy (Resolution doc, section 5).

import type { HandleName } from 'doi-names';
import { percentDecode, toHandleName } from 'doi-names/parts';
import { ERROR_KINDS, GatewayError } from '../../errors.ts';
import type { WireObject } from '../../handle/json.ts';
import type { HandleRecord } from '../../handle/record.ts';
import * as codes from '../../handle/response-codes.ts';
import { type HandleValue, selectValues } from '../../handle/value.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { attempt, type HttpResponse } from '../request/exchange.ts';
import { keepingHeaders } from '../response/cache-headers.ts';
import { type FailureDetails, failureHeaders } from '../response/failure-headers.ts';
import { apiJson, apiText, stringify } from './json-or-jsonp.ts';
import { freshnessOf, indexesOf, type RestRequest, type TaggedText, taggedText } from './rest-exchange.ts';

/** @param encodedName the path after `/api/handles/` */
export function answerApiHandles(encodedName: string, request: RestRequest): Soon<HttpResponse> {
  const decoded = percentDecode(encodedName);
  return answerRecord(decoded.ok ? toHandleName(decoded.text) : null, encodedName, request);
}

/** @param echo the name in the response if `name` is null, which means that the name is invalid */
export function answerRecord(
  name: HandleName | null,
  echo: string,
  request: RestRequest,
): Soon<HttpResponse> {
  const { query, loaders, reportUnexpected } = request;
  if (name === null) return failed(codes.INVALID_HANDLE, echo, 'The name in the path is invalid.');
  const indexes = indexesOf(query);
  if (indexes === null) return failed(codes.PROTOCOL_ERROR, name, 'An index is not a 32-bit integer.');
  return attempt(
    () => mapSoon(loaders.record(name, freshnessOf(query.isOn)), (record) => respond(record, indexes)),
    (error) => {
      // The API has only response codes: "too busy" for a client without look-ups, else "failure".
      if (error instanceof GatewayError) {
        const { code, httpStatus, message, details, retryable } = error;
        return code === 'RATE_LIMITED'
          ? failed(codes.TOO_BUSY, name, message, { details, httpStatus })
          : failed(codes.FAILURE, name, message, { details, retryable });
      }
      reportUnexpected(error);
      return failed(codes.FAILURE, name, ERROR_KINDS.INTERNAL_SERVER_ERROR.message);
    },
  );

  function respond(record: HandleRecord, indexes: readonly number[]): HttpResponse {
    const { responseCode, status, handle, message } = record;
    if (status === 'ERROR') {
      return failed(responseCode, handle, message ?? '', { retryable: codes.isDirectoryFault(responseCode) });
    }
    const values = selectValues(record.values, query.all('type'), indexes);
    const headers = keepingHeaders(request.expiry, request.now);
    const httpStatus = codes.httpStatusOf(responseCode);
    if (values.length > 0 && values === record.values && !query.isOn('pretty')) {
      const { text, tag } = writtenValues(values);
      const whole = `{"responseCode":${responseCode},"handle":${stringify(handle)},"values":${text}}`;
      // The ETag is made from the values alone, because the URL determines the rest of the response.
      return apiText(httpStatus, whole, query, { ...headers, ETag: tag });
    }
    const body = status === 'HANDLE_NOT_FOUND' ? { responseCode, handle } : bodyOf(record, values);
    return apiJson(httpStatus, body, query, headers);
  }

  function failed(
    responseCode: number,
    handle: string,
    message: string,
    failure: ApiFailure = {},
  ): HttpResponse {
    const { details, retryable, httpStatus = codes.httpStatusOf(responseCode) } = failure;
    const headers = failureHeaders(httpStatus, details, retryable);
    return apiJson(httpStatus, { responseCode, handle, message }, query, headers);
  }
}

interface ApiFailure {
  readonly details?: FailureDetails;
  /** whether the response has Retry-After; default: true for the statuses 429, 503 and 504 */
  readonly retryable?: boolean;
  /** default: the HTTP status for the response code */
  readonly httpStatus?: number;
}

/** The members have the order of the DOI proxy. A body without values has another order. */
function bodyOf({ responseCode, handle }: HandleRecord, values: readonly HandleValue[]): object {
  const wire = values.map(wireOf);
  return values.length > 0
    ? { responseCode, handle, values: wire }
    : { responseCode: codes.VALUES_NOT_FOUND, values: wire, handle };
}

/** The permissions of most values. The DOI proxy does not write them. */
const USUAL_PERMISSIONS = '1110';

function wireOf({ permissions, wire }: HandleValue): WireObject {
  if (permissions !== USUAL_PERMISSIONS) return wire;
  const { permissions: _, ...others } = wire;
  return others;
}

/** The JSON of all values of a record. It stays in memory as long as the values, and needs less memory than they do. */
function writtenValues(values: readonly HandleValue[]): TaggedText {
  let known = knownValues.get(values);
  if (known === undefined) {
    known = taggedText(stringify(values.map(wireOf)));
    knownValues.set(values, known);
  }
  return known;
}

const knownValues = new WeakMap<readonly HandleValue[], TaggedText>();
