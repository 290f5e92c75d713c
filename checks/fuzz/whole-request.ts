// One HTTP request of the fuzzer, and generators of its headers and encodings.

import fc from 'fast-check';
import { requestBytes } from '../../bench/http-bytes.ts';
import { weighted, words } from './arbitraries.ts';
import { API_KEY } from './canaries.ts';

export interface FuzzRequest {
  /** `whole`: one HTTP request, which must get exactly one response. `bytes`: any bytes. */
  readonly kind: 'whole' | 'bytes';
  readonly method: string;
  readonly target: string;
  /** in Latin-1, so that JSON can hold a case */
  readonly bytes: string;
}

/** Makes an HTTP request whose header says that the gateway must close the connection after the response. */
export function wholeRequest(
  method: string,
  target: string,
  extraHeaders: Readonly<Record<string, string>>,
  body?: string | Buffer,
): FuzzRequest {
  const bytes = requestBytes({
    method,
    target,
    headers: { host: 'gateway.test', ...extraHeaders, connection: 'close' },
    ...(body === undefined ? {} : { body }),
  });
  return { kind: 'whole', method, target, bytes: bytes.toString('latin1') };
}

const NAMES = words(
  'accept accept accept-encoding if-none-match cookie cache-control range origin authorization x-forwarded-for x-request-id traceparent expect te via accept-language content-encoding x-http-method-override',
);
const VALUES = [
  ...words('application/json application/graphql-response+json multipart/mixed text/event-stream'),
  'multipart/mixed;deferSpec=20220824, application/json',
  ...words('*/* text/html application/rdf+xml a/b;q=2 ;'),
  '',
  ...words('gzip br;q=0.5 identity;q=0 * W/"x" no-cache doi-local-service=http://x/ bytes=0-1 100-continue'),
  ...['Bearer x', `Bearer ${API_KEY}`],
  ...['127.0.0.1, ::1', '203.0.113.9', '2001:db8::1, 203.0.113.8, 127.0.0.1'],
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
];
const latin1 = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code));
const anyValue = fc.string({ unit: latin1, maxLength: 40 }).map((text) => text.trim().replaceAll('\x7f', ''));

export const headers = fc.dictionary(
  fc.constantFrom(...NAMES),
  weighted([6, fc.constantFrom(...VALUES)], [1, anyValue]),
  { maxKeys: 3 },
);

/** Encodes only the characters that a target must not contain. */
export function encodeLoosely(text: string): string {
  return [...text]
    .map((one) => (/^[!$-;=?-~]$/.test(one) && one !== '&' ? one : encodeAnything(one)))
    .join('');
}

export function encodeAnything(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
