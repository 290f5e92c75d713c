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

// The end of a connection whose client is still sending. Closed at once it would be reset, and with that the answer
// lost that is on its way (RFC 9112, section 9.6).

/** For how long, and how much of it, what still comes is thrown away. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1_000_000;

/** Ends our side once all is written; the connection is closed when the client ends its own, or takes too long. */
function endGently(socket: Socket): void {
  let bytes = 0;
  // Node's parser has no use for it any more: it would fail over each piece.
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

/** By the codes that Node gives. */
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

/** Clients that are refused in one turn of the event loop: thousands may time out at once. */
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

/** Node's own name for the answer that is being written. */
type ServerSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

function respond(socket: ServerSocket, refusal: Refusal): void {
  const { _httpMessage: answer } = socket;
  // Within an answer that has begun another would be taken for a part of it.
  const isAmidAnswer = answer?.headersSent && !answer.writableEnded;
  if (!socket.writable || isAmidAnswer) {
    socket.destroySoon();
    return;
  }
  socket.write(messageOf(refusal, answer?.req));
  endGently(socket);
}

/**
 * A whole answer, after which the connection ends.
 * @param request the part that could be read. If it has no id, the log may have given it one that is not known here.
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

/** Of a body that comes too slowly. */
export function tooSlow(request: IncomingMessage): string {
  return messageOf(
    {
      status: 408,
      text: 'The request body came too slowly: it has 30 seconds and one more for each 16000 bytes. Send it again, in one go.',
    },
    request,
  );
}
