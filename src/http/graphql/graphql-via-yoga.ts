// Executes operations with Yoga if their response comes in parts (@defer, @stream) or is not JSON. With
// `yogaExecutesAll`, which only tests set, Yoga executes all operations.

import type { Requester } from '../../directory/requester.ts';
import { BatchGate } from '../../graphql/execution.ts';
import { FoundParts } from '../../graphql/incremental/count-parts.ts';
import type { ExecuteWithYoga, YogaOperation } from '../../graphql/incremental/yoga.ts';
import type { ErrorMask, OperationOutcome } from '../../graphql/mask-error.ts';
import type { Operations } from '../../graphql/operation.ts';
import { OperationUsage, ResponseTooLarge } from '../../graphql/write.ts';
import type { TrackingLoaders } from '../../loaders/loaders.ts';
import type { Need, Reservation } from '../../memory/reservation.ts';
import type { GatewayContext } from '../../schema/builder.ts';
import { Slices } from '../../slices.ts';
import type { Clock } from '../../time.ts';
import type { Turns } from '../../turns.ts';
import type { HttpResponse } from '../request/exchange.ts';
import { cacheControl, NO_STORE } from '../response/cache-headers.ts';
import { OperationTime } from './operation-time.ts';
import type { GraphqlRequest } from './read-parameters.ts';

/** The gateway's own executor remembers items, and for this it needs the records that the loaders have returned. */
interface OperationContext extends GatewayContext {
  readonly loaders: TrackingLoaders;
}

export interface ViaYogaOptions {
  readonly operations: Operations;
  /** makes the context of one operation for its resolvers */
  readonly createContext: (
    requester: Requester,
    signal: () => AbortSignal,
    gate: BatchGate,
    reservation: Reservation,
  ) => OperationContext;
  /** imports Yoga at the first call */
  readonly executeWithYoga: () => Promise<ExecuteWithYoga>;
  readonly turns: Turns;
  readonly mask: ErrorMask;
  readonly clock: Clock['now'];
  readonly maxResponseBytes: number;
  readonly maxComplexity: number;
  readonly deadlineMs: number;
}

/** An operation that is parsed, validated and priced. */
type PricedYogaOperation = Pick<
  YogaOperation,
  'text' | 'prepared' | 'operationName' | 'variables' | 'parts'
> & {
  readonly need: Need;
};

/** Yoga needs an operation even for a refusal. Yoga does not execute this operation. */
const PLACEHOLDER = '{ __typename }';

export function createViaYoga(options: ViaYogaOptions) {
  const { operations, createContext, executeWithYoga, turns, mask, clock } = options;
  const { maxResponseBytes, maxComplexity, deadlineMs } = options;

  /**
   * Waits for a turn of the event loop, so that only one operation begins in each turn, and then executes the operation.
   * A refusal does not wait.
   * Rejects with ResponseTooLarge, or with the reason of the signal if the client aborts before the execution begins.
   * @param refusal errors for the response; null: execute the operation
   */
  async function respond(
    graphqlRequest: GraphqlRequest,
    operation: PricedYogaOperation,
    context: GatewayContext,
    time: OperationTime,
    refusal: readonly unknown[] | null = null,
  ): Promise<HttpResponse> {
    const execute = await executeWithYoga();
    if (refusal === null) {
      await turns.next(graphqlRequest.request.requester.client.key);
      time.throwIfEnded();
    }
    time.start();
    const heapReservation = reservingHeap(graphqlRequest.request.reservation);
    const usage = new OperationUsage(maxResponseBytes, maxComplexity, operation.need, heapReservation);
    const parts = operation.parts && new FoundParts(operation.parts);
    const guarded = {
      usage,
      slices: new Slices(turns, graphqlRequest.request.requester, graphqlRequest.bodyBytes),
      mask,
      time,
      parts,
      ended: null,
    };
    const response = await execute({
      ...operation,
      accept:
        (operation.parts ? null : graphqlRequest.jsonType) ??
        graphqlRequest.request.header('accept') ??
        '*/*',
      context: { ...context, guarded },
      refusal,
      onEnd(outcome: OperationOutcome) {
        time.end();
        graphqlRequest.ended(outcome);
      },
      // The signal of the deadline is not used: Yoga drops the whole response if its signal is aborted, but at the
      // deadline, clients should get the finished fields.
      signal: graphqlRequest.request.signal,
    });
    const { status, body } = response;
    const type = response.headers.get('content-type') ?? graphqlRequest.contentType;
    if (isStream(type)) {
      const headers = { 'Content-Type': type, ...STREAM_HEADERS };
      return { status, headers, body: body as HttpResponse['body'] };
    }
    const text = await response.text();
    // During execution, the length is only estimated.
    if (Buffer.byteLength(text) > maxResponseBytes) throw new ResponseTooLarge(maxResponseBytes);
    const isKept = status === 200 && !text.startsWith('{"errors"');
    const control = isKept ? cacheControl(context.expiry, clock()) : NO_STORE;
    const headers = { 'Content-Type': type, 'Cache-Control': control, Vary: 'Accept' };
    return { status, headers, body: text };
  }

  return {
    respond,
    /**
     * The response to a request that is not executed, with its errors, for a client that accepts only responses in parts.
     */
    async refusal(graphqlRequest: GraphqlRequest, errors: readonly unknown[]): Promise<HttpResponse> {
      const { request } = graphqlRequest;
      const time = new OperationTime(request, deadlineMs);
      const context = createContext(
        request.requester,
        () => time.signal,
        new BatchGate(),
        request.reservation,
      );
      const prepared = operations.prepare(PLACEHOLDER);
      const input = { text: PLACEHOLDER, operationName: null, variables: {} };
      const priced = { ...input, prepared, parts: null, need: NO_NEED };
      return respond(graphqlRequest, priced, context, time, errors);
    },
  };
}

const NO_NEED: Need = { heapBytes: 0, responseBytes: 0 };

/** Yoga makes objects before it makes text. These objects need about this much heap for each byte of the response. */
const HEAP_BYTES_PER_RESPONSE_BYTE = 8;

/** Reserves heap for the objects in place of memory for the text of the response. */
function reservingHeap(reservation: Reservation): Pick<Reservation, 'grow' | 'growResponse'> {
  return {
    grow: (bytes) => reservation.grow(bytes),
    growResponse: (bytes) => reservation.grow(bytes * HEAP_BYTES_PER_RESPONSE_BYTE),
  };
}

const STREAM_HEADERS = {
  'Cache-Control': 'no-store',
  // Without this header, proxies such as nginx would buffer the parts.
  'X-Accel-Buffering': 'no',
};

function isStream(type: string): boolean {
  return /^(?:multipart\/mixed|text\/event-stream)\b/.test(type);
}
