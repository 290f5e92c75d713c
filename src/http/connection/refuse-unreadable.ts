// Responds to bytes that Node cannot parse as an HTTP request.

import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { MAX_HEADERS } from '../../memory/memory-sizes.ts';
import { TURNS } from '../../turns.ts';
import { PLAIN_ID, requestIdOf } from '../request/request-id.ts';

/**
 * After a refusal, the gateway reads and drops further data, for this time and up to this many bytes. If the gateway
 * closed the connection at once, TCP would reset it, and the client would lose the response (RFC 9112, section 9.6).
 */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1_000_000;

/** Ends the gateway's side of the connection. Closes the connection when the client ends its side, or at these limits. */
function endGently(socket: Socket): void {
  let bytes = 0;
  // Removes the parser of Node, which would report an error for each chunk that still arrives.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) socket.destroy();
  });
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroySoon());
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

const MALFORMED: Refusal = {
  status: 400,
  text: 'The gateway cannot read this as an HTTP/1.1 request. Check its first line, its headers and its chunks.',
};

/** by the error codes of Node */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    text: `The first line and the headers together are larger than ${maxHeaderSize} bytes, or there are more than ${MAX_HEADERS} headers. Send a long query as the body of a POST to /graphql, and fewer or shorter headers.`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    text: 'The extensions of a chunk are larger than 16384 bytes. Send the body without chunk extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    text: 'The request did not arrive in time. Send its head within 30 seconds, and then its body without a pause.',
  },
};

export const TOO_SLOW: Refusal = {
  status: 408,
  text: 'The request body arrived too slowly. A body has 30 seconds, and one more second for each 16000 bytes. Send the request again.',
};

export const BUSY: Refusal = {
  status: 503,
  text: 'The gateway has too little memory for requests that have not arrived completely. Try again.',
};

export function refuseUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Thousands of clients can time out together.
    void TURNS.run(
      () => respond(socket, REFUSALS[error.code ?? ''] ?? MALFORMED),
      () => socket,
    );
  });
}

/** Node's internal property for the response that is being written. */
type ServerSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

function respond(socket: ServerSocket, refusal: Refusal): void {
  const { _httpMessage: running } = socket;
  // If a response has begun, the client would read the refusal as a part of this response.
  const hasBegun = running?.headersSent && !running.writableEnded;
  if (!socket.writable || hasBegun) {
    socket.destroySoon();
    return;
  }
  socket.write(refusalMessage(refusal, running?.req));
  endGently(socket);
}

/**
 * Makes a response that closes its connection.
 * @param request the part of the request that Node could parse
 */
export function refusalMessage({ status, text }: Refusal, request: IncomingMessage | undefined): string {
  const body = `${text}\n`;
  const sent = request?.headers['x-request-id']?.toString();
  // If the client sent no plain id, the gateway made an id that is unknown here. A second id would mislead.
  const isIdKnown = request === undefined || (sent !== undefined && PLAIN_ID.test(sent));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain;charset=utf-8',
    'Cache-Control: no-store',
    ...(status === 503 ? ['Retry-After: 1'] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(isIdKnown ? [`X-Request-Id: ${requestIdOf(sent)}`] : []),
    '',
    body,
  ].join('\r\n');
}
