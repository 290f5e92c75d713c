// A GraphQL request on its way: what its answer may come in, and how long it takes.

import type { AskedOperation } from '../graphql/operation.ts';
import type { OperationOutcome } from '../graphql/outcome.ts';
import type { Metrics } from '../metrics.ts';
import type { Span } from '../tracing/tracer.ts';
import type { HttpRequest } from './exchange.ts';
import { preferredType } from './negotiate.ts';

const JSON_TYPES = ['application/json', 'application/graphql-response+json'] as const;
type JsonType = (typeof JSON_TYPES)[number];

/** What an answer in parts comes in, also where Apollo says which format of the parts it reads: the one there is. */
const PART_TYPES = ['multipart/mixed', 'text/event-stream', 'multipart/mixed;deferSpec=20220824'] as const;

export class GraphqlRequest {
  readonly request: HttpRequest;
  readonly jsonType: JsonType | null;
  /** by which its answer may be remembered; null: it may not */
  key: string | null = null;
  /** of its body; 0 where it has none */
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

  get takesParts(): boolean {
    return preferredType(this.request, PART_TYPES) !== null;
  }

  get accept(): string {
    return this.request.header('accept') ?? '*/*';
  }

  get contentType(): string {
    return `${this.jsonType ?? 'application/json'}; charset=utf-8`;
  }

  /** The operation that is asked for has been found. */
  began({ name, type }: AskedOperation): void {
    const { asker } = this.request;
    const { tally, span } = asker;
    // An operation that has waited is read again.
    if (tally === undefined || this.#span) return;
    tally.operation = name;
    if (span === undefined) return;
    this.#span = span.child(name === undefined ? type : `${type} ${name}`, 'INTERNAL', {
      'graphql.operation.type': type,
      ...(name !== undefined && { 'graphql.operation.name': name }),
    });
    asker.span = this.#span;
  }

  ended(outcome: OperationOutcome): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#seconds.observe((performance.now() - this.startMs) / 1000, outcome);
    const { tally } = this.request.asker;
    if (tally) tally.outcome = outcome;
    if (this.#span === undefined) return;
    this.#span.set({ 'doi_gateway.outcome': outcome });
    this.#span.end(outcome === 'failed' ? outcome : undefined);
  }
}
