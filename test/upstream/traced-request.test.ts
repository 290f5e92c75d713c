// What a span says of a request to the directory.

import { expect, test } from 'vitest';
import type { Span, SpanAttributes } from '../../src/tracing/tracer.ts';
import { tracedRequest } from '../../src/upstream/proxy-client.ts';
import { askerAt } from './askers.ts';

/** A span that keeps the attributes of its children. */
function keepingSpan(kept: SpanAttributes[]): Span {
  const span: Span = {
    traceId: '',
    traceparent: '',
    child(_name, _kind, attributes = {}) {
      kept.push(attributes);
      return span;
    },
    set() {},
    end() {},
  };
  return span;
}

test.each([
  ['as it is sent', '/api/handles/10.5555/a', 'https://doi.org/api/handles/10.5555/a'],
  ['its first 500 characters', `/${'x'.repeat(2_000)}`, `https://doi.org/${'x'.repeat(484)}`],
])('its URL, %s', async (_, path, url) => {
  const kept: SpanAttributes[] = [];
  const requester = { ...askerAt('192.0.2.1'), span: keepingSpan(kept) };
  const answered = { head: { status: 200 }, failure: null };
  await tracedRequest('https://doi.org', { endpoint: 'handles', path }, requester, async () => answered);
  expect(kept.map((attributes) => attributes['url.full'])).toEqual([url]);
});
