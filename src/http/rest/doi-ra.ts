// GET /doiRA/{names}: which agency registered each of them (Resolution doc, section 4).

import type { WhichRaVerdict } from '../../directory/directory.ts';
import { toHandleName } from '../../doi/name.ts';
import { percentDecode } from '../../doi/percent.ts';
import { GatewayError } from '../../errors.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import { stringify } from './api-json.ts';
import type { RestRequest, RestResponse } from './exchange.ts';

/** @param encodedNames the path behind `/doiRA/`; raw commas divide names */
export async function answerWhichRa(encodedNames: string, { loaders }: RestRequest): Promise<RestResponse> {
  const rows = await Promise.all(encodedNames.split(',').map((encoded) => rowOf(encoded, loaders)));
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json;charset=UTF-8' },
    body: stringify(rows, true),
  };
}

async function rowOf(encoded: string, loaders: Loaders): Promise<object> {
  const decoded = percentDecode(encoded);
  const name = decoded.ok ? toHandleName(decoded.text) : null;
  if (name === null) return { DOI: encoded, ...wireOf({ status: 'INVALID_DOI', agency: null }) };
  try {
    return { DOI: name, ...wireOf(await loaders.whichRa(name)) };
  } catch (error) {
    // The service has no word for it, and one name that fails must not cost the others.
    if (error instanceof GatewayError) return { DOI: name, status: 'Error' };
    throw error;
  }
}

function wireOf({ status, agency }: WhichRaVerdict): object {
  switch (status) {
    case 'FOUND':
      return { RA: agency };
    case 'UNKNOWN':
      return { RA: 'Unknown' };
    case 'DOES_NOT_EXIST':
      return { status: 'DOI does not exist' };
    case 'INVALID_DOI':
      return { status: 'Invalid DOI' };
  }
}
