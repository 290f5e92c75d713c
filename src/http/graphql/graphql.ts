// The endpoint /graphql: reads a request, finds and prices its operation, executes the operation, and responds.

import { executePlan } from '../../graphql/execute.ts';
import { BatchGate, type Execution } from '../../graphql/execution.ts';
import { operationInParts } from '../../graphql/incremental/parts.ts';
import { DocumentRefused, type PreparedDocument } from '../../graphql/operation.ts';
import type { FindOperation } from '../../graphql/persisted/find-operation.ts';
import { isWritten, WrittenErrors, type WrittenJson } from '../../graphql/pieces.ts';
import { type PricedOperation, priceOperation } from '../../graphql/price-operation.ts';
import type { RememberedItems } from '../../graphql/remembered-items.ts';
import { OperationUsage } from '../../graphql/write.ts';
import { LIFETIMES } from '../../lifetimes.ts';
import type { Metrics } from '../../metrics.ts';
import { Slices } from '../../slices.ts';
import type { Soon } from '../../time.ts';
import { attempt, type Handler, type HttpResponse } from '../request/exchange.ts';
import {
  NOT_ACCEPTABLE,
  PARTS_NOT_ACCEPTED,
  refusalResponse,
  WRONG_METHOD,
  writtenResponse,
} from './graphql-response.ts';
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

/** Above each of these limits, the next step takes long, so it waits for a later turn of the event loop. */
const LONG_BODY_BYTES = 4_000;
const LONG_DOCUMENT_CHARACTERS = 2_000;
const LONG_PRICE = 3_000;

/** The bytes of a response around its data: `{"data":}`. */
const FRAME_BYTES = 9;

export function createGraphqlEndpoint(options: GraphqlEndpointOptions): Handler {
  const { operations, find, createContext, yogaExecutesAll, turns, mask, clock, seconds } = options;
  const { items, maxBodyBytes, maxResponseBytes, maxComplexity, deadlineMs } = options;
  const viaYoga = createViaYoga(options);

  return (request) => {
    const graphqlRequest = new GraphqlRequest(request, seconds);
    return attempt(
      () => {
        const admission = request.reservation.admitRequest(request);
        return admission ? admission.then(() => respond(graphqlRequest)) : respond(graphqlRequest);
      },
      (error) => refuse(graphqlRequest, error),
    );
  };

  /** Call it when the memory for the request is reserved. */
  function respond(graphqlRequest: GraphqlRequest): Soon<HttpResponse> {
    const { request } = graphqlRequest;
    const { method, requester } = request;
    if (requester.refusal) throw requester.refusal;
    if (method === 'GET' || method === 'HEAD') return findOperation(graphqlRequest, () => readUrl(request));
    if (method !== 'POST') throw WRONG_METHOD;
    checkBodyType(request);
    // This is no async function, because every request takes this path and each promise takes time.
    return request.body(maxBodyBytes).then((body) => {
      graphqlRequest.bodyBytes = body.length;
      const read = () => findOperation(graphqlRequest, () => readBody(body, request));
      const clientOf = (): string => requester.client.key;
      return body.length > LONG_BODY_BYTES ? turns.next(clientOf()).then(read) : turns.run(read, clientOf);
    });
  }

  /**
   * @param read parses the parameters; called again after a wait, so that a waiting request does not keep them
   */
  function findOperation(graphqlRequest: GraphqlRequest, read: () => Parameters): Soon<HttpResponse> {
    const parameters = read();
    if (graphqlRequest.jsonType === null && !graphqlRequest.acceptsParts) throw NOT_ACCEPTABLE;
    const { own } = graphqlRequest.request.requester.clients;
    const text = own ? (parameters.query ?? '') : find(parameters);
    const known = operations.keptDocument(text);
    // During the wait for a turn, neither the parameters nor the document is kept, because no memory is reserved yet.
    if (known || text.length < LONG_DOCUMENT_CHARACTERS) {
      return priceAndAdmit(graphqlRequest, parameters, text, known ?? operations.prepare(text), read);
    }
    const { client } = graphqlRequest.request.requester;
    return turns
      .next(client.key)
      .then(() => {
        operations.prepare(text);
        return turns.next(client.key);
      })
      .then(() => {
        const prepared = operations.keptDocument(text) ?? operations.prepare(text);
        return priceAndAdmit(graphqlRequest, read(), text, prepared, read);
      });
  }

  /** Executes the operation when there is memory for it. */
  function priceAndAdmit(
    graphqlRequest: GraphqlRequest,
    parameters: Parameters,
    text: string,
    prepared: PreparedDocument,
    read: () => Parameters,
  ): Soon<HttpResponse> {
    const { request } = graphqlRequest;
    const operation = prepared.operation(parameters.operationName);
    graphqlRequest.began(operation.label);
    const isForYoga = yogaExecutesAll || graphqlRequest.jsonType === null || prepared.isIncremental;
    const limits = { maxComplexity, bodyBytes: graphqlRequest.bodyBytes, isForYoga };
    const priced = priceOperation(prepared, operation, parameters.variables, limits);
    const admission = request.reservation.admitOperation(priced.need, request);
    if (admission !== undefined) return admission.then(() => findOperation(graphqlRequest, read));
    return execute(graphqlRequest, parameters, text, prepared, priced);
  }

  function execute(
    graphqlRequest: GraphqlRequest,
    { operationName }: Parameters,
    text: string,
    prepared: PreparedDocument,
    { operation, plan, executionArguments, cost, need }: PricedOperation,
  ): Soon<HttpResponse> {
    const { number, variables, valuesByReader } = executionArguments;
    const parts = operationInParts(prepared, operation, variables);
    if (parts && !graphqlRequest.acceptsParts) throw PARTS_NOT_ACCEPTED;

    const { request, startMs } = graphqlRequest;
    const { requester, reservation } = request;
    const time = new OperationTime(request, requester.clients.own?.operationMs ?? deadlineMs, startMs);
    const gate = new BatchGate();
    const context = createContext(requester, () => time.signal, gate, reservation);
    const { expiry } = context;
    if (prepared.hasGatewayFields)
      expiry.include({ freshUntil: clock() + LIFETIMES.gatewayFields, stale: false });
    if (parts || graphqlRequest.jsonType === null || yogaExecutesAll) {
      const operationInYoga = { text, prepared, operationName, variables, parts, need };
      return viaYoga.respond(graphqlRequest, operationInYoga, context, time);
    }
    const execution: Execution = {
      // No spread of `executionArguments`: it would take longer than executing an operation with one name.
      number,
      variables,
      valuesByReader,
      variableReads: 0,
      context,
      sources: context.loaders,
      usage: new OperationUsage(maxResponseBytes, maxComplexity, need, reservation),
      slices: new Slices(turns, requester, graphqlRequest.bodyBytes),
      gate,
      mask,
      items,
      errors: new WrittenErrors(),
      time,
    };
    const run = (): Soon<HttpResponse> => {
      execution.usage.addBytes(FRAME_BYTES);
      const data = attempt<WrittenJson>(
        () => executePlan(plan(), execution),
        (error) => {
          time.abandon();
          throw error;
        },
      );
      const finish = (json: WrittenJson) =>
        writtenResponse(graphqlRequest, json, execution.errors, expiry, clock());
      if (isWritten(data)) return finish(data);
      time.start();
      return data.then((json) => {
        time.end();
        return finish(json);
      });
    };
    return cost > LONG_PRICE ? turns.next(requester.client.key).then(run) : run();
  }

  /** The response to a request that is not executed. */
  function refuse(graphqlRequest: GraphqlRequest, error: unknown): Soon<HttpResponse> {
    const errors = error instanceof DocumentRefused ? error.errors : [error];
    const { jsonType, acceptsParts, request } = graphqlRequest;
    if (jsonType === null && acceptsParts && !request.signal.aborted)
      return viaYoga.refusal(graphqlRequest, errors);
    graphqlRequest.ended('failed');
    return refusalResponse(error, errors, graphqlRequest, mask);
  }
}
