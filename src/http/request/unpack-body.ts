// Unpacks the body of a request that a client sends with Content-Encoding (RFC 9110, section 8.4.1).

import type { Readable, Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { GatewayError } from '../../errors.ts';
import { bodyIncomplete, bodyTooLarge, CollectedBody } from './collected-body.ts';
import type { HttpRequest } from './exchange.ts';

/** Each unpacks in 40 kB of memory. Not `br`: it can need 16 MB for a body of a few bytes. */
const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
]);

/** In lower case; `identity` if the body is not packed. */
export function bodyEncodingOf(request: Pick<HttpRequest, 'header'>): string {
  return request.header('content-encoding')?.trim().toLowerCase() || 'identity';
}

/** The end of a sentence that begins with the body. Null if the gateway can read the body. */
export function encodingProblem(request: Pick<HttpRequest, 'header'>): string | null {
  const encoding = bodyEncodingOf(request);
  if (encoding === 'identity' || UNPACKERS.has(encoding)) return null;
  return `has the Content-Encoding "${encoding.slice(0, 40)}". Send it as gzip or deflate, or uncompressed.`;
}

/**
 * Reads and unpacks a whole body, part by part. Rejects with LIMIT_EXCEEDED as soon as the body, packed or unpacked, is
 * longer than `maxBytes`, and with BAD_USER_INPUT if it is incomplete or damaged. The rest of the body is dropped.
 * @param encoding one without an `encodingProblem`, not `identity`
 */
export function readUnpacked(packed: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const unpacker = UNPACKERS.get(encoding)?.();
  if (unpacker === undefined) return Promise.reject(new Error(`No unpacker for ${encoding}.`));
  const body = new CollectedBody(0);
  let packedBytes = 0;
  return new Promise((resolve, reject) => {
    const fail = (error: GatewayError): void => {
      packed.unpipe(unpacker);
      packed.resume();
      unpacker.destroy();
      reject(error);
    };
    packed.on('data', (chunk: Buffer) => {
      packedBytes += chunk.length;
      if (packedBytes > maxBytes) fail(bodyTooLarge());
    });
    packed.on('error', (cause) => fail(bodyIncomplete(cause)));
    packed.on('close', () => packed.readableEnded || fail(bodyIncomplete()));
    unpacker.on('data', (chunk: Buffer) => {
      if (body.bytes + chunk.length <= maxBytes) body.add(chunk);
      else fail(bodyTooLarge());
    });
    unpacker.on('end', () => resolve(body.whole()));
    unpacker.on('error', (cause) => fail(bodyDamaged(encoding, cause)));
    packed.pipe(unpacker);
  });
}

function bodyDamaged(encoding: string, cause: Error): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message: `The request body is not ${encoding}, as its Content-Encoding says, or it is incomplete.`,
    cause,
  });
}
