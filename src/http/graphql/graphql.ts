// The endpoint /graphql: reads a request, finds, prices and executes its operation, and writes the response.

import { executePlan } from '../../graphql/execute.ts';
import { createBatchGate, type Execution } from '../../graphql/execution.ts';
import { operationInParts } from '../../graphql/incremental/parts.ts';
import {
  DocumentRefused,
  type PreparedDocument,
  type PricedOperation,
  priceOperation,
} from '../../graphql/operation.ts';
import type { FindOperation } from '../../graphql/persisted/find-operation.ts';
import { isWritten, WrittenErrors } from '../../graphql/pieces.ts';
import type { Plan } from '../../graphql/plan.ts';
import type { RememberedItems } from '../../graphql/remembered-items.ts';
import { OperationUsage } from '../../graphql/write.ts';
import type { AnswerExpiry } from '../../loaders/answer-expiry.ts';
import type { Metrics } from '../../metrics.ts';
import { Slices, type Soon } from '../../time.ts';
import type { Answer, Handler } from '../request/exchange.ts';
import { notAcceptable, partsNotAccepted, refusal, writtenResponse, wrongMethod } from './graphql-refusal.ts';
import { createViaYoga, type ViaYogaOptions } from './graphql-via-yoga.ts';
import { OperationTime } from './operation-time.ts';
import { checkBodyType, GraphqlRequest, type Parameters, readBody, readUrl } from './read-parameters.ts';

export interface GraphqlEndpointOptions extends ViaYogaOptions {
  readonly find: FindOperation;
  readonly yogaExecutesAll: boolean;
  readonly items: RememberedItems;
  readonly seconds: Metrics['graphqlSeconds'];
  readonly maxBodyBytes: number;
}

/** A body, document or operation above these limits waits for its own slice, because it takes long. */
const LONG_BODY_BYTES = 4_000;
const LONG_DOCUMENT_CHARACTERS = 2_000;
const LONG_PRICE = 3_000;

const GATEWAY_LIFE_MS = 300_000;

/** `{"data":}` */
const FRAME_BYTES = 9;

export function createGraphqlEndpoint(options: GraphqlEndpointOptions): Handler {
  const { operations, find, createContext, yogaExecutesAll, turns, mask, clock, seconds } = options;
  const { items, maxBodyBytes, maxResponseBytes, maxComplexity, deadlineMs } = options;
  const viaYoga = createViaYoga(options);

  return (request) => {
    const asked = new GraphqlRequest(request, seconds);
    try {
      const waiting = request.work.admitRequest(request);
      return waiting
        ? answered(
            asked,
            waiting.then(() => admitted(asked)),
          )
        : admitted(asked);
    } catch (error) {
      return refused(asked, error);
    }
  };

  function admitted(asked: GraphqlRequest): Soon<Answer> {
    const { request } = asked;
    const { method, requester } = request;
    if (requester.refusal) throw requester.refusal;
    if (method === 'GET' || method === 'HEAD') {
      return answered(
        asked,
        answer(asked, () => readUrl(request)),
      );
    }
    if (method !== 'POST') throw wrongMethod();
    checkBodyType(request);
    return post(asked);
  }

  function answered(asked: GraphqlRequest, answer: Soon<Answer>): Soon<Answer> {
    return answer instanceof Promise ? answer.catch((error: unknown) => refused(asked, error)) : answer;
  }

  function post(asked: GraphqlRequest): Promise<Answer> {
    const read = (body: Buffer) => {
      asked.bodyBytes = body.length;
      return answer(asked, () => readBody(body, asked.request));
    };
    const refuse = (error: unknown) => refused(asked, error);
    // Not an async function, because every request takes this path and each promise takes time.
    return asked.request.body(maxBodyBytes).then((body) => {
      try {
        return answered(
          asked,
          body.length > LONG_BODY_BYTES ? turns.next().then(() => read(body)) : read(body),
        );
      } catch (error) {
        return refuse(error);
      }
    }, refuse);
  }

  /** @param read called again after each wait, so that a request that waits does not keep its parsed parameters in memory */
  function answer(asked: GraphqlRequest, read: () => Parameters): Soon<Answer> {
    const parameters = read();
    if (asked.jsonType === null && !asked.takesParts) throw notAcceptable();
    const { own } = asked.request.requester.clients;
    const text = own ? (parameters.query ?? '') : find(parameters);
    const known = operations.known(text);
    // Memory is reserved only after pricing. So parsed parameters must be priced in the same slice.
    if (known || text.length < LONG_DOCUMENT_CHARACTERS) {
      return admit(asked, parameters, text, known ?? operations.prepare(text), read);
    }
    return turns.next().then(() => admit(asked, read(), text, operations.prepare(text), read));
  }

  /** Prices the operation. Executes it when the account has enough bytes for it. */
  function admit(
    asked: GraphqlRequest,
    parameters: Parameters,
    text: string,
    prepared: PreparedDocument,
    read: () => Parameters,
  ): Soon<Answer> {
    const { request } = asked;
    const operation = prepared.operation(parameters.operationName);
    asked.began(operation.label);
    const limits = { maxComplexity, bodyBytes: asked.bodyBytes };
    const priced = priceOperation(operation, parameters.variables, limits);
    const waiting = request.work.admitOperation(priced.need, request);
    if (waiting !== undefined) return waiting.then(() => answer(asked, read));
    return execute(asked, parameters, text, prepared, priced);
  }

  function execute(
    asked: GraphqlRequest,
    { operationName }: Parameters,
    text: string,
    prepared: PreparedDocument,
    { operation, plan, read, cost, need }: PricedOperation,
  ): Soon<Answer> {
    const { variables } = read;
    const parts = operationInParts(prepared, operation, variables);
    if (parts && !asked.takesParts) throw partsNotAccepted();

    const { requester, work } = asked.request;
    const time = new OperationTime(
      asked.request,
      requester.clients.own?.operationMs ?? deadlineMs,
      asked.startMs,
    );
    const gate = createBatchGate();
    const context = createContext(requester, () => time.signal, gate, work);
    const { expiry } = context;
    if (prepared.hasGatewayFields) expiry.include({ freshUntil: clock() + GATEWAY_LIFE_MS, stale: false });
    if (parts || asked.jsonType === null || yogaExecutesAll) {
      return viaYoga.answer(asked, { text, prepared, operationName, variables, parts, need }, context, time);
    }
    const execution: Execution = {
      // Without object spread, because a spread takes longer than the execution for one name.
      number: read.number,
      variables,
      read: read.read,
      variableReads: 0,
      context,
      sources: context.loaders,
      usage: new OperationUsage(maxResponseBytes, maxComplexity, need, work),
      slices: new Slices(turns),
      gate,
      mask,
      items,
      errors: new WrittenErrors(),
      time,
    };
    return cost > LONG_PRICE
      ? turns.next().then(() => run(asked, plan, execution, expiry, time))
      : run(asked, plan, execution, expiry, time);
  }

  function run(
    asked: GraphqlRequest,
    plan: Plan,
    execution: Execution,
    expiry: AnswerExpiry,
    time: OperationTime,
  ): Soon<Answer> {
    const { errors, usage } = execution;
    usage.addBytes(FRAME_BYTES);
    const data = begun(plan, execution, time);
    if (isWritten(data)) return writtenResponse(asked, data, errors, expiry, clock());
    time.start();
    return data.then(
      (settled) => {
        time.end();
        return writtenResponse(asked, settled, errors, expiry, clock());
      },
      (error: unknown) => {
        time.abandon();
        throw error;
      },
    );
  }

  /** Executes the plan. If the operation fails as a whole, aborts its look-ups. */
  function begun(plan: Plan, execution: Execution, time: OperationTime): ReturnType<typeof executePlan> {
    try {
      return executePlan(plan, execution);
    } catch (error) {
      time.abandon();
      throw error;
    }
  }

  /** The response to a request that the gateway refuses as a whole. */
  function refused(asked: GraphqlRequest, error: unknown): Soon<Answer> {
    const errors = error instanceof DocumentRefused ? error.errors : [error];
    if (asked.jsonType === null && asked.takesParts && !asked.request.signal.aborted)
      return viaYoga.refusal(asked, errors);
    asked.ended('failed');
    return refusal(error, errors, asked, mask);
  }
}
