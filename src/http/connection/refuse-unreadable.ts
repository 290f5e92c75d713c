// The response to bytes that Node cannot read as a request. Such a request reaches no route.

import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { PLAIN_ID, requestIdOf } from '../request/counted-request.ts';

/**
 * After a refusal, the gateway drops arriving bytes for this time. If it closed the connection while the client still
 * sends, TCP would reset it and lose the response (RFC 9112, section 9.6).
 */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1_000_000;

/**
 * Ends the gateway's side after the last write. Closes the connection when the client has ended its side, or takes too
 * long.
 */
function endGently(socket: Socket): void {
  let bytes = 0;
  // Without these listeners, because Node's parser would fail at each further chunk.
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
  text: 'This is not an HTTP/1.1 request that can be read. Check its first line, its headers and its chunks.',
};

/** The refusals by the error codes of Node. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    text: `The first line and the headers together are larger than ${maxHeaderSize} bytes, the most this gateway takes. Send a long query as the body of a POST to /graphql, and fewer or shorter headers.`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    text: 'The extensions of a chunk are larger than 16384 bytes, the most this gateway takes. Send the body without them.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    text: 'The request did not come in time. Send its head within 30 seconds of connecting, and its body without a pause.',
  },
};

/** The most refusals in one slice, because thousands of clients may time out together. */
const ANSWERED_A_TURN = 50;

export function refuseUnreadable(server: Server): void {
  const waiting: [Socket, Refusal][] = [];
  let answered = 0;

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    waiting.push([socket, REFUSALS[error.code ?? ''] ?? MALFORMED]);
    tellSome();
  });

  function tellSome(): void {
    if (answered === 0) setImmediate(nextTurn);
    for (const [socket, refusal] of waiting.splice(0, ANSWERED_A_TURN - answered)) {
      answered += 1;
      respond(socket, refusal);
    }
  }

  function nextTurn(): void {
    answered = 0;
    if (waiting.length > 0) tellSome();
  }
}

/** Node's internal property for the response that is being written. */
type ServerSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

function respond(socket: ServerSocket, refusal: Refusal): void {
  const { _httpMessage: answer } = socket;
  // If a response has begun, the client would read the refusal as a part of it.
  const isAmidAnswer = answer?.headersSent && !answer.writableEnded;
  if (!socket.writable || isAmidAnswer) {
    socket.destroySoon();
    return;
  }
  socket.write(messageOf(refusal, answer?.req));
  endGently(socket);
}

/**
 * Makes a complete response that ends its connection.
 * @param request the part that Node could read; its X-Request-Id is returned, if there is one
 */
function messageOf({ status, text }: Refusal, request: IncomingMessage | undefined): string {
  const body = `${text}\n`;
  const sent = request?.headers['x-request-id']?.toString();
  const isKnown = request === undefined || (sent !== undefined && PLAIN_ID.test(sent));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain;charset=utf-8',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(isKnown ? [`X-Request-Id: ${requestIdOf(sent)}`] : []),
    '',
    body,
  ].join('\r\n');
}

/** The refusal of a body that arrives too slowly. */
export function tooSlow(request: IncomingMessage): string {
  return messageOf(
    {
      status: 408,
      text: 'The request body came too slowly: it has 30 seconds and one more for each 16000 bytes. Send it again, in one go.',
    },
    request,
  );
}
