// A collector of traces on loopback: accepts OTLP over HTTP as JSON, and keeps the spans.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly kind: number;
  readonly failed: boolean;
  readonly links: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

export interface TraceCollector {
  /** base URL, as OTEL_EXPORTER_OTLP_ENDPOINT has it */
  readonly url: string;
  readonly spans: CollectedSpan[];
  readonly paths: string[];
  readonly resource: Record<string, string | number>;
  close(): Promise<void>;
}

interface WireAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string | number };
}

interface WireSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status?: { readonly code?: number };
  readonly links?: readonly unknown[];
  readonly attributes: readonly WireAttribute[];
}

interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

const ERROR_STATUS = 2;

/** @param respond called once the body of a request has arrived */
export async function startTraceCollector(
  respond: (response: ServerResponse) => void = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const paths: string[] = [];
  const resource: Record<string, string | number> = {};
  const server = createServer(async (request, response) => {
    paths.push(request.url ?? '');
    for (const { resource: reported, scopeSpans } of (await bodyOf(request)).resourceSpans) {
      Object.assign(resource, plain(reported.attributes));
      for (const scope of scopeSpans) spans.push(...scope.spans.map(collected));
    }
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    paths,
    resource,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireRequest;
}

function collected({ status, links = [], attributes, parentSpanId, ...span }: WireSpan): CollectedSpan {
  return {
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    // An absent id and '' both mean that the span has no parent.
    parentSpanId: parentSpanId || undefined,
    kind: span.kind,
    failed: status?.code === ERROR_STATUS,
    links: links.length,
    attributes: plain(attributes),
  };
}

function plain(attributes: readonly WireAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
