// GET /api/handles/{name}: the proxy's REST API, byte for byte (Resolution doc, section 5).

import { toHandleName } from '../../doi/name.ts';
import { percentDecode } from '../../doi/percent.ts';
import { ERROR_KINDS, GatewayError } from '../../errors.ts';
import type { HandleRecord } from '../../handle/record.ts';
import * as codes from '../../handle/response-codes.ts';
import { selectValues } from '../../handle/value.ts';
import { apiJson } from './api-json.ts';
import { cacheHeaders } from './cache-headers.ts';
import type { RestRequest, RestResponse } from './exchange.ts';
import { freshnessOf, indexesOf } from './query.ts';

/** @param encodedName the path behind `/api/handles/` */
export async function answerApiHandles(
  encodedName: string,
  request: RestRequest,
  reportUnexpected: (error: unknown) => void,
): Promise<RestResponse> {
  const { query, loaders } = request;
  const decoded = percentDecode(encodedName);
  const name = decoded.ok ? toHandleName(decoded.text) : null;
  if (name === null) return failed(codes.INVALID_HANDLE, encodedName, 'The name in the path cannot be read.');
  const indexes = indexesOf(query);
  if (indexes === null) return failed(codes.PROTOCOL_ERROR, name, 'An index is no whole number of 32 bits.');
  try {
    const record = await loaders.record(name, freshnessOf(query));
    const { responseCode, status, message } = record;
    if (status === 'ERROR') return failed(responseCode, name, message ?? '');
    const headers = cacheHeaders(record.freshUntil, request.now);
    return apiJson(
      codes.httpStatusOf(responseCode),
      answerOf(record, query.all('type'), indexes),
      query,
      headers,
    );
  } catch (error) {
    // What keeps this gateway from its directory is to a client of the REST API a failure of the resolution.
    if (error instanceof GatewayError) return failed(codes.FAILURE, name, error.message);
    reportUnexpected(error);
    return failed(codes.FAILURE, name, ERROR_KINDS.INTERNAL_SERVER_ERROR.message);
  }

  function failed(responseCode: number, handle: string, message: string): RestResponse {
    return apiJson(codes.httpStatusOf(responseCode), { responseCode, handle, message }, query);
  }
}

/** The members in the proxy's order, which differs between answers with values and without. */
function answerOf(record: HandleRecord, types: readonly string[], indexes: readonly number[]): object {
  const { responseCode, handle, status } = record;
  if (status === 'HANDLE_NOT_FOUND') return { responseCode, handle };
  const values = selectValues(record.values, types, indexes).map(({ wire }) => wire);
  return values.length > 0
    ? { responseCode, handle, values }
    : { responseCode: codes.VALUES_NOT_FOUND, values, handle };
}
