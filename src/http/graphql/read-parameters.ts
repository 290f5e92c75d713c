// Reads the parameters of a GraphQL request: from the URL, or from a body in JSON, as a form, or in plain GraphQL.

import { GatewayError } from '../../errors.ts';
import type { OperationOutcome } from '../../graphql/mask-error.ts';
import type { OperationLabel } from '../../graphql/operation.ts';
import type { NamedOperation } from '../../graphql/persisted/find-operation.ts';
import type { Metrics } from '../../metrics.ts';
import type { Span } from '../../tracing/tracer.ts';
import type { HttpRequest } from '../request/exchange.ts';
import { bodyText, NOT_JSON, parseBodyJson } from '../request/parse-json.ts';
import { encodingProblem } from '../request/unpack-body.ts';
import { preferredType } from '../response/negotiate.ts';

const JSON_TYPES = ['application/json', 'application/graphql-response+json'] as const;
type JsonType = (typeof JSON_TYPES)[number];

/** The types of a response in parts. Apollo Client sends `deferSpec`. The gateway supports only this version. */
const PART_TYPES = ['multipart/mixed', 'text/event-stream', 'multipart/mixed;deferSpec=20220824'] as const;

/** A GraphQL request, with the response types that its client accepts and the duration for the metrics. */
export class GraphqlRequest {
  readonly request: HttpRequest;
  /** null: the client accepts no JSON */
  readonly jsonType: JsonType | null;
  /** the length of the body; 0 without a body */
  bodyBytes = 0;
  readonly startMs = performance.now();
  readonly #seconds: Metrics['graphqlSeconds'];
  #isEnded = false;
  #span: Span | undefined;

  constructor(request: HttpRequest, seconds: Metrics['graphqlSeconds']) {
    this.request = request;
    this.#seconds = seconds;
    this.jsonType = preferredType(request, JSON_TYPES);
  }

  get acceptsParts(): boolean {
    return preferredType(this.request, PART_TYPES) !== null;
  }

  get contentType(): string {
    return `${this.jsonType ?? 'application/json'}; charset=utf-8`;
  }

  /** Begins the span of the operation. Call it when the operation is found. */
  began({ name, type }: OperationLabel): void {
    const { requester } = this.request;
    const { tally, span } = requester;
    // An operation that waits for memory is prepared again after the wait, and so `began` is called twice.
    if (tally === undefined || this.#span) return;
    tally.operation = name;
    if (span === undefined) return;
    this.#span = span.child(name === undefined ? type : `${type} ${name}`, 'INTERNAL', {
      'graphql.operation.type': type,
      ...(name !== undefined && { 'graphql.operation.name': name }),
    });
    requester.span = this.#span;
  }

  /** Call it at the end of the operation. A second call does nothing. */
  ended(outcome: OperationOutcome): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#seconds.observe((performance.now() - this.startMs) / 1000, outcome);
    const { tally } = this.request.requester;
    if (tally) tally.outcome = outcome;
    if (this.#span === undefined) return;
    this.#span.set({ 'doi_gateway.outcome': outcome });
    this.#span.end(outcome === 'failed' ? outcome : undefined);
  }
}

export interface Parameters extends NamedOperation {
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The parameters as the client sent them. Each can have any type. */
type Sent = Readonly<Record<string, unknown>>;

// The Content-Types of bodies.
const JSON_BODY = /^application\/(?:graphql\+)?json\s*(?:;|$)/i;
const TEXT_BODY = /^application\/graphql\s*(?:;|$)/i;
const FORM_BODY = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

const PARAMETER_NAMES: ReadonlySet<string> = new Set([
  'query',
  'variables',
  'operationName',
  'extensions',
  'documentId',
  'doc_id',
]);

/** Throws BAD_USER_INPUT. */
export function readUrl({ query }: HttpRequest): Parameters {
  return checkParameters(formOf(query));
}

/**
 * Throws BAD_USER_INPUT with status 415 if the gateway cannot read the type or the encoding of the body. Call it before reading the
 * body.
 */
export function checkBodyType(request: HttpRequest): void {
  const type = request.header('content-type') ?? '';
  const problem = encodingProblem(request);
  if (problem !== null) throw badRequest(`The request body ${problem}`, 415);
  if (JSON_BODY.test(type) || TEXT_BODY.test(type) || FORM_BODY.test(type)) return;
  throw badRequest('The gateway cannot read this Content-Type. Send application/json.', 415);
}

/** Throws BAD_USER_INPUT. */
export function readBody(body: Buffer, request: HttpRequest): Parameters {
  const type = request.header('content-type') ?? '';
  if (JSON_BODY.test(type)) return checkParameters(jsonOf(body));
  return checkParameters(TEXT_BODY.test(type) ? { query: bodyText(body) } : formOf(bodyText(body)));
}

function jsonOf(body: Buffer): Sent {
  const { value: json, fault, isExcess } = parseBodyJson(body);
  if (fault !== null) throw isExcess ? tooComplex(`The request body ${fault}.`) : badBody(fault);
  if (!isObject(json)) throw badBody('is not a JSON object');
  return json;
}

function formOf(text: string): Sent {
  const parameters = new URLSearchParams(text);
  const parameterOf = (name: string): string | undefined => parameters.get(name) || undefined;
  return {
    query: parameterOf('query'),
    operationName: parameterOf('operationName'),
    documentId: parameters.get('documentId'),
    doc_id: parameters.get('doc_id'),
    variables: embeddedJson(parameterOf('variables')),
    extensions: embeddedJson(parameterOf('extensions')),
  };
}

function embeddedJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const { value, fault, isExcess } = parseBodyJson(Buffer.from(text));
  if (fault === null) return value;
  const sentence = `The parameter "variables" or "extensions" ${fault}.`;
  if (isExcess) throw tooComplex(sentence);
  throw badRequest(
    fault === NOT_JSON ? `${sentence} Send an object such as {"input": "10.1000/182"}.` : sentence,
  );
}

function checkParameters(sent: Sent): Parameters {
  for (const name of Object.keys(sent)) {
    if (!PARAMETER_NAMES.has(name) && sent[name] !== null) {
      throw badRequest(`Unexpected parameter "${name.slice(0, 100)}" in the request body.`);
    }
  }
  const { query = null, variables = null, extensions = null, operationName = null } = sent;
  if (query !== null && typeof query !== 'string') {
    throw badRequest(`Expected "query" param to be a string, but given ${typeName(query)}.`);
  }
  if (operationName !== null && typeof operationName !== 'string') {
    throw badRequest(`Expected "operationName" param to be a string, but given ${typeName(operationName)}.`);
  }
  return {
    query,
    operationName,
    documentId: documentIdOf(sent),
    hash: hashOf(objectOrNull(extensions, 'extensions')),
    variables: objectOrNull(variables, 'variables') ?? NO_VARIABLES,
  };
}

const NO_VARIABLES = Object.freeze({});

function objectOrNull(value: unknown, name: string): Sent | null {
  if (value === null || isObject(value)) return value;
  throw badRequest(`Expected "${name}" param to be empty or an object, but given ${typeName(value)}.`);
}

const HASH_PREFIX = 'sha256:';

function documentIdOf(sent: Sent): string | null {
  const name = (sent['documentId'] ?? null) === null ? 'doc_id' : 'documentId';
  const id = sent[name] ?? null;
  if (id === null) return null;
  if (typeof id !== 'string') throw badRequest(`The parameter "${name}" is not a string.`);
  return id.startsWith(HASH_PREFIX) ? id.slice(HASH_PREFIX.length) : id;
}

function hashOf(extensions: Sent | null): string | null {
  const persisted = extensions?.['persistedQuery'] ?? null;
  if (persisted === null) return null;
  if (isObject(persisted)) {
    const { version, sha256Hash } = persisted;
    if (version === 1 && typeof sha256Hash === 'string') return sha256Hash;
  }
  throw badRequest('The extension "persistedQuery" is not {"version": 1, "sha256Hash": "…"}.');
}

function isObject(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function tooComplex(sentence: string): GatewayError {
  return new GatewayError('LIMIT_EXCEEDED', { message: `${sentence} Split it over several requests.` });
}

function badBody(what: string): GatewayError {
  return badRequest(`The request body ${what}. Send {"query": "…", "variables": {…}} as application/json.`);
}

function badRequest(message: string, httpStatus = 400): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { message, httpStatus });
}
