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
    const graphqlRequest = new GraphqlRequest(request, seconds);
    try {
      const waiting = request.work.admitRequest(request);
      return waiting
        ? answered(
            graphqlRequest,
            waiting.then(() => admitted(graphqlRequest)),
          )
        : admitted(graphqlRequest);
    } catch (error) {
      return refused(graphqlRequest, error);
    }
  };

  function admitted(graphqlRequest: GraphqlRequest): Soon<Answer> {
    const { request } = graphqlRequest;
    const { method, requester } = request;
    if (requester.refusal) throw requester.refusal;
    if (method === 'GET' || method === 'HEAD') {
      return answered(
        graphqlRequest,
        answer(graphqlRequest, () => readUrl(request)),
      );
    }
    if (method !== 'POST') throw wrongMethod();
    checkBodyType(request);
    return post(graphqlRequest);
  }

  function answered(graphqlRequest: GraphqlRequest, answer: Soon<Answer>): Soon<Answer> {
    return answer instanceof Promise
      ? answer.catch((error: unknown) => refused(graphqlRequest, error))
      : answer;
  }

  function post(graphqlRequest: GraphqlRequest): Promise<Answer> {
    const read = (body: Buffer) => {
      graphqlRequest.bodyBytes = body.length;
      return answer(graphqlRequest, () => readBody(body, graphqlRequest.request));
    };
    const refuse = (error: unknown) => refused(graphqlRequest, error);
    // Not an async function, because every request takes this path and each promise takes time.
    return graphqlRequest.request.body(maxBodyBytes).then((body) => {
      try {
        return answered(
          graphqlRequest,
          body.length > LONG_BODY_BYTES ? turns.next().then(() => read(body)) : read(body),
        );
      } catch (error) {
        return refuse(error);
      }
    }, refuse);
  }

  /**
   * @param read called again after each wait, so that a request that waits does not keep its parsed parameters in
   * memory
   */
  function answer(graphqlRequest: GraphqlRequest, read: () => Parameters): Soon<Answer> {
    const parameters = read();
    if (graphqlRequest.jsonType === null && !graphqlRequest.takesParts) throw notAcceptable();
    const { own } = graphqlRequest.request.requester.clients;
    const text = own ? (parameters.query ?? '') : find(parameters);
    const known = operations.known(text);
    // Memory is reserved only after pricing. So parsed parameters must be priced in the same slice.
    if (known || text.length < LONG_DOCUMENT_CHARACTERS) {
      return admit(graphqlRequest, parameters, text, known ?? operations.prepare(text), read);
    }
    return turns.next().then(() => admit(graphqlRequest, read(), text, operations.prepare(text), read));
  }

  /** Prices the operation. Executes it when the account has enough bytes for it. */
  function admit(
    graphqlRequest: GraphqlRequest,
    parameters: Parameters,
    text: string,
    prepared: PreparedDocument,
    read: () => Parameters,
  ): Soon<Answer> {
    const { request } = graphqlRequest;
    const operation = prepared.operation(parameters.operationName);
    graphqlRequest.began(operation.label);
    const limits = { maxComplexity, bodyBytes: graphqlRequest.bodyBytes };
    const priced = priceOperation(operation, parameters.variables, limits);
    const waiting = request.work.admitOperation(priced.need, request);
    if (waiting !== undefined) return waiting.then(() => answer(graphqlRequest, read));
    return execute(graphqlRequest, parameters, text, prepared, priced);
  }

  function execute(
    graphqlRequest: GraphqlRequest,
    { operationName }: Parameters,
    text: string,
    prepared: PreparedDocument,
    { operation, plan, read, cost, need }: PricedOperation,
  ): Soon<Answer> {
    const { variables } = read;
    const parts = operationInParts(prepared, operation, variables);
    if (parts && !graphqlRequest.takesParts) throw partsNotAccepted();

    const { requester, work } = graphqlRequest.request;
    const time = new OperationTime(
      graphqlRequest.request,
      requester.clients.own?.operationMs ?? deadlineMs,
      graphqlRequest.startMs,
    );
    const gate = createBatchGate();
    const context = createContext(requester, () => time.signal, gate, work);
    const { expiry } = context;
    if (prepared.hasGatewayFields) expiry.include({ freshUntil: clock() + GATEWAY_LIFE_MS, stale: false });
    if (parts || graphqlRequest.jsonType === null || yogaExecutesAll) {
      return viaYoga.answer(
        graphqlRequest,
        { text, prepared, operationName, variables, parts, need },
        context,
        time,
      );
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
      ? turns.next().then(() => run(graphqlRequest, plan, execution, expiry, time))
      : run(graphqlRequest, plan, execution, expiry, time);
  }

  function run(
    graphqlRequest: GraphqlRequest,
    plan: Plan,
    execution: Execution,
    expiry: AnswerExpiry,
    time: OperationTime,
  ): Soon<Answer> {
    const { errors, usage } = execution;
    usage.addBytes(FRAME_BYTES);
    const data = begun(plan, execution, time);
    if (isWritten(data)) return writtenResponse(graphqlRequest, data, errors, expiry, clock());
    time.start();
    return data.then(
      (settled) => {
        time.end();
        return writtenResponse(graphqlRequest, settled, errors, expiry, clock());
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
  function refused(graphqlRequest: GraphqlRequest, error: unknown): Soon<Answer> {
    const errors = error instanceof DocumentRefused ? error.errors : [error];
    if (
      graphqlRequest.jsonType === null &&
      graphqlRequest.takesParts &&
      !graphqlRequest.request.signal.aborted
    )
      return viaYoga.refusal(graphqlRequest, errors);
    graphqlRequest.ended('failed');
    return refusal(error, errors, graphqlRequest, mask);
  }
}
