// The responses of a DOI proxy to record and Which RA requests, from a directory and its stored values.

import type { IncomingMessage } from 'node:http';
import { canonicalName } from 'doi-names';
import type { Directory, WhichRaAnswer } from '../../src/directory/directory.ts';
import type { HandleStatus } from '../../src/handle/response-codes.ts';
import { type Behaviour, requestedNames } from '../support/directory-server.ts';
import { handleName } from '../upstream/proxy-under-test.ts';

/** Values as JSON, by canonical name. */
export type WireValues = ReadonlyMap<string, readonly unknown[]>;

export function createWireProxy(directory: Directory, wireValues: WireValues): Behaviour {
  return (request, response) => {
    void respond(request).then(({ status, contentType, body }) => {
      response.writeHead(status, { 'content-type': contentType });
      response.end(body);
    });
  };

  async function respond(request: IncomingMessage) {
    const { face, names } = requestedNames(request);
    if (face === 'doiRA') {
      const agencies = await Promise.all(directory.whichRa(names.map(handleName)));
      const body = agencies.map((known, position) => ({ DOI: names[position], ...agencyMembers(known) }));
      const contentType = 'application/json;charset=UTF-8';
      return { status: 200, contentType, body: JSON.stringify(body, null, 2) };
    }
    const [handle = ''] = names;
    const { status } = await directory.resolve(handleName(handle));
    const key = handle.includes('/') ? handle : `0.NA/${handle}`;
    const values = wireValues.get(canonicalName(handleName(key)));
    const contentType = 'application/json;charset=utf-8';
    return { contentType, ...recordResponse(status, handle, values) };
  }
}

function recordResponse(status: HandleStatus, handle: string, values: readonly unknown[] | undefined) {
  if (status === 'SUCCESS') return { status: 200, body: JSON.stringify({ responseCode: 1, handle, values }) };
  if (status === 'VALUES_NOT_FOUND') {
    return { status: 200, body: JSON.stringify({ responseCode: 200, values: [], handle }) };
  }
  return { status: 404, body: JSON.stringify({ responseCode: 100, handle }) };
}

function agencyMembers({ status, agency }: WhichRaAnswer) {
  if (status === 'FOUND') return { RA: agency };
  if (status === 'UNKNOWN') return { RA: 'Unknown' };
  return { status: status === 'INVALID_DOI' ? 'Invalid DOI' : 'DOI does not exist' };
}
