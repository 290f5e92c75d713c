// The endpoint /mcp: the tools for agents over streamable HTTP, without sessions. It refuses requests from pages of other
// sites, and requests after DNS rebinding.

import { ERROR_KINDS, GatewayError } from '../../errors.ts';
import type { Handler, HttpRequest, HttpResponse } from '../../http/request/exchange.ts';
import { sendOnBehalfOf } from '../../http/request/in-process-request.ts';
import { parseBodyJson } from '../../http/request/parse-json.ts';
import { encodingProblem } from '../../http/request/unpack-body.ts';
import { failureHeaders } from '../../http/response/failure-headers.ts';
import type { Need } from '../../memory/reservation.ts';
import type { TurnsOfLongTasks } from '../../turns.ts';

/** Host names that cannot be registered publicly. So the host of another site cannot have such a name. */
const PRIVATE_NAME = /^(?:[^.]+|.+\.(?:localhost|local|internal))$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Returns the reason for a refusal, or null if the gateway accepts the request. It accepts a request if both are true:
 * - The Host header is missing, or is the host of `publicUrl`, an IP address or a private name. Browsers always send Host.
 * - The Origin header is missing, or is the origin of `publicUrl` or of Host. Only browsers send Origin.
 * @param publicUrl the gateway's address as clients see it; null if unknown
 */
function refusalReasonFor(request: Pick<HttpRequest, 'header'>, publicUrl: string | null): string | null {
  const own = publicUrl === null ? null : new URL(publicUrl);
  const host = request.header('host')?.toLowerCase();
  if (host !== undefined && host !== own?.host && !isPrivate(host)) {
    return 'The Host header is not a name of this gateway. The operator can set PUBLIC_URL to the address of the gateway.';
  }
  const origin = request.header('origin');
  if (origin === undefined || origin === own?.origin) return null;
  const from = URL.canParse(origin) ? new URL(origin) : null;
  if (from !== null && /^https?:$/.test(from.protocol) && from.host === host) return null;
  return 'Pages of other sites must not send requests here. Use a program, or a page of this gateway.';
}

function isPrivate(host: string): boolean {
  const name = host.replace(/:\d*$/, '');
  return name.startsWith('[') || IPV4.test(name) || PRIVATE_NAME.test(name);
}

export interface McpEndpointOptions {
  /** the GraphQL endpoint */
  readonly graphql: Handler;
  /** whether the directory is the sample that comes with the gateway */
  readonly isSample: boolean;
  /** the gateway's address as clients see it; null if unknown */
  readonly publicUrl: string | null;
  readonly version: string;
  /** the largest number of look-ups in one operation */
  readonly maxLookups: number;
  readonly maxBodyBytes: number;
  /** lets other tasks of the process run between slices */
  readonly turns: TurnsOfLongTasks;
  /** receives errors that the client did not cause */
  readonly reportUnexpected: (error: unknown) => void;
}

/** The largest number of messages in one body. Version 2025-03-26 of the protocol allows several messages. */
const MAX_BATCH = 10;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Error codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const REFUSED = -32_000;

export function createMcpEndpoint(options: McpEndpointOptions): Handler {
  const { graphql, isSample, publicUrl, version, maxLookups, maxBodyBytes, turns, reportUnexpected } =
    options;

  return async (request) => {
    const earlyResponse = responseBeforeBody(request, publicUrl);
    if (earlyResponse) return earlyResponse;
    try {
      await request.reservation.admitRequest(request);
      const body = await request.body(maxBodyBytes);
      const need = needOf(body.length);
      await request.reservation.admitOperation(need, request);
      // A message needs some milliseconds of processor time, so other tasks run first.
      const clientTurns = { hasTime: turns.hasTime, next: () => turns.next(request.requester.client.key) };
      await clientTurns.next();
      const { value: message, fault } = parseBodyJson(body);
      if (fault !== null) return errorResponse(400, PARSE_ERROR, `The request body ${fault}.`);
      const wrong = Array.isArray(message) ? faultOfBatch(message) : null;
      if (wrong !== null) return errorResponse(400, INVALID_REQUEST, wrong);
      // The first message loads this module, because the module is large.
      const { answerMessage } = await import('./mcp-server.ts');
      const gateway = { send: sendOnBehalfOf(request, graphql, need.heapBytes), isSample, maxLookups };
      return await answerMessage(request, message, {
        gateway,
        version,
        turns: clientTurns,
        reportUnexpected,
      });
    } catch (error) {
      if (error instanceof GatewayError) return responseTo(error);
      if (!request.signal.aborted) reportUnexpected(error);
      return errorResponse(500, REFUSED, ERROR_KINDS.INTERNAL_SERVER_ERROR.message);
    }
  };
}

/** The memory of one message, without its body: the objects of the MCP server, and the operations of a tool. */
const MESSAGE_BYTES = 100_000;
const HEAP_BYTES_PER_BODY_BYTE = 30;

function needOf(bodyBytes: number): Need {
  return { heapBytes: MESSAGE_BYTES + bodyBytes * HEAP_BYTES_PER_BODY_BYTE, responseBytes: 0 };
}

/** The MCP server waits for one response for each id. After a repeated id or a cancellation, it would wait for ever. */
function faultOfBatch(messages: readonly unknown[]): string | null {
  if (messages.length > MAX_BATCH) return `A batch has at most ${MAX_BATCH} messages. Send them one by one.`;
  const parts = messages.map(
    (message) => Object(message) as { readonly id?: unknown; readonly method?: unknown },
  );
  const ids = parts.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) return 'Two messages have the same id. Send the messages one by one.';
  const cancels = parts.some(({ method }) => method === 'notifications/cancelled');
  return cancels ? 'A batch cannot contain a cancellation. Send the messages without it.' : null;
}

function responseBeforeBody(request: HttpRequest, publicUrl: string | null): HttpResponse | null {
  const reason = refusalReasonFor(request, publicUrl);
  if (reason !== null) return errorResponse(403, REFUSED, reason);
  if (request.method !== 'POST') {
    return errorResponse(405, REFUSED, 'Send messages of the Model Context Protocol here with POST.', {
      Allow: 'POST, OPTIONS',
    });
  }
  const { refusal: clientError } = request.requester;
  if (clientError) return responseTo(clientError);
  if (!JSON_TYPE.test(request.header('content-type') ?? ''))
    return errorResponse(415, REFUSED, 'Send the message as application/json.');
  const problem = encodingProblem(request);
  return problem === null ? null : errorResponse(415, REFUSED, `The message ${problem}`);
}

function responseTo({ httpStatus, message, details }: GatewayError): HttpResponse {
  const headers = failureHeaders(httpStatus, details);
  // Agents often see only the message.
  const seconds = headers['Retry-After'];
  const again = seconds ? ` Send the message again in ${seconds} seconds.` : '';
  return errorResponse(httpStatus, REFUSED, message + again, headers);
}

/** A response with an error of JSON-RPC, without the id of a message. */
function errorResponse(
  status: number,
  code: number,
  message: string,
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }),
  };
}
