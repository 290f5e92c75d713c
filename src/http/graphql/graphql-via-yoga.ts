// What Yoga executes: operations whose responses come in parts, and in tests all of them.

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

/** The executor notes what the loaders return, to remember items. */
export interface OperationContext extends GatewayContext {
  readonly loaders: TrackingLoaders;
}

export interface ViaYogaOptions {
  readonly operations: Operations;
  /** what resolvers rely on, for one operation */
  readonly createContext: (
    requester: Requester,
    signal: () => AbortSignal,
    gate: BatchGate,
    work: Reservation,
  ) => OperationContext;
  /** Yoga; loaded when it is first needed */
  readonly executeWithYoga: () => Promise<ExecuteWithYoga>;
  readonly turns: Turns;
  readonly mask: ErrorMask;
  readonly clock: Clock;
  readonly maxResponseBytes: number;
  readonly maxComplexity: number;
  readonly deadlineMs: number;
}

/** An operation that has been read, checked and paid for. */
type ReadyOperation = Pick<YogaOperation, 'text' | 'prepared' | 'operationName' | 'variables' | 'parts'> & {
  readonly need: Need;
};

export interface ViaYoga {
  /** Rejects with ResponseTooLarge, and before anything is executed where the client is gone by then. */
  answer(
    asked: GraphqlRequest,
    operation: ReadyOperation,
    context: GatewayContext,
    time: OperationTime,
  ): Promise<Answer>;
  /** What is wrong with a request, for a client that takes answers in parts alone. */
  refusal(asked: GraphqlRequest, errors: readonly unknown[]): Promise<Answer>;
}

/** An operation that asks for nothing in particular. */
const NOTHING = '{ __typename }';

export function createViaYoga(options: ViaYogaOptions): ViaYoga {
  const { operations, createContext, executeWithYoga, turns, mask, clock } = options;
  const { maxResponseBytes, maxComplexity, deadlineMs } = options;

  /** Begun one a turn: many that come at once cost nothing where their clients have left meanwhile. */
  async function answer(
    asked: GraphqlRequest,
    operation: ReadyOperation,
    context: GatewayContext,
    time: OperationTime,
  ): Promise<Answer> {
    const ask = await executeWithYoga();
    await turns.next();
    time.throwIfEnded();
    return answerBy(ask, asked, operation, context, time);
  }

  /** @param refusal the fault of the request; then nothing is executed */
  async function answerBy(
    ask: ExecuteWithYoga,
    asked: GraphqlRequest,
    operation: ReadyOperation,
    context: GatewayContext,
    time: OperationTime,
    refusal: readonly unknown[] | null = null,
  ): Promise<Answer> {
    time.start();
    const work = objectsOf(asked.request.work);
    const usage = new OperationUsage(maxResponseBytes, maxComplexity, operation.need, work);
    const parts = operation.parts && new FoundParts(operation.parts);
    const guarded = { usage, slices: new Slices(turns), mask, time, parts, ended: null };
    const response = await ask({
      ...operation,
      accept: operation.parts || asked.jsonType === null ? asked.accept : asked.jsonType,
      context: { ...context, guarded },
      refusal,
      onEnd(outcome: OperationOutcome) {
        time.end();
        asked.ended(outcome);
      },
      // Yoga drops the whole answer if its signal is aborted. At the deadline, clients should get the finished part.
      signal: asked.request.signal,
    });
    const { status, body } = response;
    const type = response.headers.get('content-type') ?? asked.contentType;
    if (isStream(type)) {
      return { status, headers: { 'Content-Type': type, ...STREAM_HEADERS }, body: body as Answer['body'] };
    }
    const text = await response.text();
    // What the guards count is near to it, not the same.
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
    async refusal(asked, errors) {
      const time = new OperationTime(asked.request, deadlineMs);
      const context = createContext(
        asked.request.requester,
        () => time.signal,
        createBatchGate(),
        asked.request.work,
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
      return answerBy(await executeWithYoga(), asked, nothing, context, time, errors);
    },
  };
}

const NO_NEED: Need = { heapBytes: 0, responseBytes: 0 };

/** Its executor makes objects first: they take as much of the heap for each byte of the response. */
const HEAP_BYTES_A_RESPONSE_BYTE = 8;

function objectsOf(work: Reservation): Pick<Reservation, 'grow' | 'growResponse'> {
  return {
    grow: (bytes) => work.grow(bytes),
    growResponse: (bytes) => work.grow(bytes * HEAP_BYTES_A_RESPONSE_BYTE),
  };
}

const STREAM_HEADERS = {
  'Cache-Control': 'no-store',
  // Proxies such as nginx would hold the parts back until there are enough of them.
  'X-Accel-Buffering': 'no',
};

function isStream(type: string): boolean {
  return /^(?:multipart\/mixed|text\/event-stream)\b/.test(type);
}
