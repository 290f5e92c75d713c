// One request to the directory as the request sees it that it is sent for: counted, and a span of its trace.

import type { Span } from '../../tracing/tracer.ts';
import type { Asker } from '../asker.ts';
import { UpstreamFailure } from './upstream-failure.ts';

const ROUTES = {
  handles: '/api/handles/{name}',
  doiRA: '/doiRA/{names}',
  probe: '/api/handles/{name}',
  metadata: '/{name}',
} as const;

const MAX_PATH = 500;

interface Asked {
  readonly face: keyof typeof ROUTES;
  readonly path: string;
}

interface Answered {
  readonly head: { readonly status: number };
  readonly poor: UpstreamFailure | null;
}

/** @param send is given the `traceparent` of the span; undefined where the request is not traced */
export function tracedRequest<Answer extends Answered>(
  base: string,
  { face, path }: Asked,
  asker: Asker,
  send: (traceparent: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  asker.tally?.sent();
  const span = asker.span?.child(`GET ${ROUTES[face]}`, 'CLIENT', {
    'http.request.method': 'GET',
    'url.full': `${base}${path}`.slice(0, MAX_PATH),
    'doi_gateway.request_id': asker.requestId,
  });
  return span === undefined ? send(undefined) : inSpan(span, send);
}

async function inSpan<Answer extends Answered>(
  span: Span,
  send: (traceparent: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  let failure: string | undefined = 'aborted';
  try {
    const answered = await send(span.traceparent);
    span.set({ 'http.response.status_code': answered.head.status });
    failure = answered.poor?.code;
    return answered;
  } catch (error) {
    if (error instanceof UpstreamFailure) failure = error.code;
    throw error;
  } finally {
    span.end(failure);
  }
}
