// GET /doiRA/{names}: the registration agency of each name (Resolution doc, section 4).

import type { HandleName } from 'doi-names';
import { percentDecode, toHandleName } from 'doi-names/parts';
import type { WhichRaVerdict } from '../../directory/directory.ts';
import { GatewayError } from '../../errors.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { attempt, type HttpResponse } from '../request/exchange.ts';
import { keepingHeaders } from '../response/cache-headers.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { stringify } from './json-or-jsonp.ts';
import { type RestRequest, restResponse } from './rest-exchange.ts';

/** The charset has capitals, as in this service of the DOI proxy. */
const JSON_TYPE = 'application/json;charset=UTF-8';

/** @param encodedNames the path after `/doiRA/`: names separated by commas; a comma in a name is `%2C` */
export function answerWhichRa(encodedNames: string, request: RestRequest): Soon<HttpResponse> {
  const refusals: GatewayError[] = [];
  const rows = encodedNames.split(',').map((encoded) => {
    const decoded = percentDecode(encoded);
    const name = decoded.ok ? toHandleName(decoded.text) : null;
    return name === null ? { DOI: encoded, ...INVALID } : rowOf(name, request, refusals);
  });
  const allRows = rows.some((row) => row instanceof Promise) ? Promise.all(rows) : rows;
  return mapSoon<readonly object[], HttpResponse>(allRows, (all) => {
    const [refusal] = refusals;
    // If the client has too few look-ups left, the status is 429. The rows still contain the cached agencies.
    const status = refusal?.httpStatus ?? 200;
    const headers = refusal
      ? failureHeaders(status, refusal.details)
      : keepingHeaders(request.expiry, request.now);
    return restResponse(status, JSON_TYPE, headers, stringify(all, true));
  });
}

/** @param refusals gets an error if the client has no look-ups left */
function rowOf(name: HandleName, { loaders, expiry }: RestRequest, refusals: GatewayError[]): Soon<object> {
  return attempt<object>(
    () => mapSoon(loaders.whichRa(name), (verdict) => ({ DOI: name, ...wireOf(verdict) })),
    (error) => {
      // A name that fails must not make the other names fail. The DOI proxy has no status for a failure.
      if (!(error instanceof GatewayError)) throw error;
      if (error.code === 'RATE_LIMITED') refusals.push(error);
      expiry.mustNotBeCached();
      return { DOI: name, status: 'Error' };
    },
  );
}

const INVALID = { status: 'Invalid DOI' };

const WITHOUT_AGENCY: Readonly<Record<Exclude<WhichRaVerdict['status'], 'FOUND'>, object>> = {
  UNKNOWN: { RA: 'Unknown' },
  DOES_NOT_EXIST: { status: 'DOI does not exist' },
  INVALID_DOI: INVALID,
};

function wireOf({ status, agency }: WhichRaVerdict): object {
  return status === 'FOUND' ? { RA: agency } : WITHOUT_AGENCY[status];
}
