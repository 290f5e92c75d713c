// Executes an operation with Yoga: operations whose responses come in parts, and in some tests all operations.

import type { Clock } from '../../directory/directory.ts';
import type { Requester } from '../../directory/requester.ts';
import { type BatchGate, createBatchGate } from '../../graphql/execution.ts';
import { FoundParts } from '../../graphql/incremental/count-parts.ts';
import type { ExecuteWithYoga, YogaOperation } from '../../graphql/incremental/yoga.ts';
import type { ErrorMask, OperationOutcome } from '../../graphql/mask-error.ts';
import type { Operations } from '../../graphql/operation.ts';
import { OperationUsage, ResponseTooLarge } from '../../graphql/write.ts';
import type { TrackingLoaders } from '../../loaders/loaders.ts';
import type { GatewayContext } from '../../schema/builder.ts';
import { Slices, type Turns } from '../../time.ts';
import type { Need, Reservation } from '../../work/reservation.ts';
import type { Answer } from '../request/exchange.ts';
import { cacheControl } from '../response/cache-headers.ts';
import { OperationTime } from './operation-time.ts';
import type { GraphqlRequest } from './read-parameters.ts';

/** The executor records what the loaders return, because it remembers items. */
export interface OperationContext extends GatewayContext {
  readonly loaders: TrackingLoaders;
}

export interface ViaYogaOptions {
  readonly operations: Operations;
  /** Makes the context of the resolvers, for one operation. */
  readonly createContext: (
    requester: Requester,
    signal: () => AbortSignal,
    gate: BatchGate,
    work: Reservation,
  ) => OperationContext;
  /** Loads Yoga at the first call. */
  readonly executeWithYoga: () => Promise<ExecuteWithYoga>;
  readonly turns: Turns;
  readonly mask: ErrorMask;
  readonly clock: Clock;
  readonly maxResponseBytes: number;
  readonly maxComplexity: number;
  readonly deadlineMs: number;
}

/** An operation that has been read, checked and priced. */
type ReadyOperation = Pick<YogaOperation, 'text' | 'prepared' | 'operationName' | 'variables' | 'parts'> & {
  readonly need: Need;
};

export interface ViaYoga {
  /**
   * Rejects with ResponseTooLarge. If the client left before execution begins, rejects with the reason of the abort.
   */
  answer(
    graphqlRequest: GraphqlRequest,
    operation: ReadyOperation,
    context: GatewayContext,
    time: OperationTime,
  ): Promise<Answer>;
  /** Reports the errors of a request to a client that accepts only responses in parts. */
  refusal(graphqlRequest: GraphqlRequest, errors: readonly unknown[]): Promise<Answer>;
}

/** The operation of a refusal. It is not executed. */
const NOTHING = '{ __typename }';

export function createViaYoga(options: ViaYogaOptions): ViaYoga {
  const { operations, createContext, executeWithYoga, turns, mask, clock } = options;
  const { maxResponseBytes, maxComplexity, deadlineMs } = options;

  /** Begins one operation in each slice. If its client has left before that, the operation costs nothing. */
  async function answer(
    graphqlRequest: GraphqlRequest,
    operation: ReadyOperation,
    context: GatewayContext,
    time: OperationTime,
  ): Promise<Answer> {
    const ask = await executeWithYoga();
    await turns.next();
    time.throwIfEnded();
    return answerBy(ask, graphqlRequest, operation, context, time);
  }

  /** @param refusal the errors of a request that is not executed; null: execute */
  async function answerBy(
    ask: ExecuteWithYoga,
    graphqlRequest: GraphqlRequest,
    operation: ReadyOperation,
    context: GatewayContext,
    time: OperationTime,
    refusal: readonly unknown[] | null = null,
  ): Promise<Answer> {
    time.start();
    const work = objectsOf(graphqlRequest.request.work);
    const usage = new OperationUsage(maxResponseBytes, maxComplexity, operation.need, work);
    const parts = operation.parts && new FoundParts(operation.parts);
    const guarded = { usage, slices: new Slices(turns), mask, time, parts, ended: null };
    const response = await ask({
      ...operation,
      accept:
        operation.parts || graphqlRequest.jsonType === null ? graphqlRequest.accept : graphqlRequest.jsonType,
      context: { ...context, guarded },
      refusal,
      onEnd(outcome: OperationOutcome) {
        time.end();
        graphqlRequest.ended(outcome);
      },
      // Yoga drops the whole answer if its signal is aborted. At the deadline, clients should get the finished part.
      signal: graphqlRequest.request.signal,
    });
    const { status, body } = response;
    const type = response.headers.get('content-type') ?? graphqlRequest.contentType;
    if (isStream(type)) {
      return { status, headers: { 'Content-Type': type, ...STREAM_HEADERS }, body: body as Answer['body'] };
    }
    const text = await response.text();
    // The guards count only approximately, so the exact length is checked here.
    if (Buffer.byteLength(text) > maxResponseBytes) throw new ResponseTooLarge(maxResponseBytes);
    const isKept = status === 200 && !text.startsWith('{"errors"');
    const control = isKept ? cacheControl(context.expiry, clock()) : 'no-store';
    return {
      status,
      headers: { 'Content-Type': type, 'Cache-Control': control, Vary: 'Accept' },
      body: text,
    };
  }

  return {
    answer,
    async refusal(graphqlRequest, errors) {
      const time = new OperationTime(graphqlRequest.request, deadlineMs);
      const context = createContext(
        graphqlRequest.request.requester,
        () => time.signal,
        createBatchGate(),
        graphqlRequest.request.work,
      );
      const prepared = operations.prepare(NOTHING);
      const nothing = {
        text: NOTHING,
        prepared,
        operationName: null,
        variables: {},
        parts: null,
        need: NO_NEED,
      };
      return answerBy(await executeWithYoga(), graphqlRequest, nothing, context, time, errors);
    },
  };
}

const NO_NEED: Need = { heapBytes: 0, responseBytes: 0 };

/** The executor of Yoga first makes objects. This is their heap size for each byte of the response. */
const HEAP_BYTES_A_RESPONSE_BYTE = 8;

function objectsOf(work: Reservation): Pick<Reservation, 'grow' | 'growResponse'> {
  return {
    grow: (bytes) => work.grow(bytes),
    growResponse: (bytes) => work.grow(bytes * HEAP_BYTES_A_RESPONSE_BYTE),
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
