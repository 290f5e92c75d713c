// What a base URL tells its circuit, and how it is probed.

import { expect, onTestFinished, test } from 'vitest';
import { LightAbort } from '../../src/abortable.ts';
import { GATEWAY_ITSELF } from '../../src/directory/requester.ts';
import { createLog } from '../../src/log.ts';
import type { Span, SpanAttributes } from '../../src/tracing/tracer.ts';
import { createTroubleLog } from '../../src/trouble-log.ts';
import { createProxyBase } from '../../src/upstream/proxy-base.ts';
import { probeRequest, recordRequest } from '../../src/upstream/record-look-up.ts';
import { askedNames, type Behaviour, sendJson, startDirectoryServer } from '../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import { answering, failureOf, handleName } from './proxy-under-test.ts';

/** Not ended early. */
const toTheEnd = () => new LightAbort();

const notFound: Behaviour = (request, response) =>
  sendJson(response, 404, { responseCode: 100, handle: askedNames(request).names[0] });

async function startBase(behaviour: Behaviour) {
  const server = await startDirectoryServer(behaviour);
  const time = createManualTime();
  const log = createLog('silent');
  const base = createProxyBase({
    baseUrl: server.url,
    userAgent: 'doi-gateway/0.0.0',
    timeoutMs: 15_000,
    maxResponseBytes: 1_000_000,
    maxConnections: 1,
    time,
    random: () => 1,
    maxProbeIntervalMs: 2_000,
    probes: () => ['10.1000/1', '10.5555/busy'].map(handleName).map(probeRequest),
    onCircuit: () => {},
    onGiveUp: () => {},
    firstConnectionMs: null,
    watchesSilence: true,
    log,
    troubles: createTroubleLog(log),
    metrics: null,
    kind: 'directory',
    sendsTrace: false,
  });
  onTestFinished(async () => {
    await base.close();
    await server.close();
  });
  return { base, server, time };
}

test('a probe does not wait for a connection that names have taken', async () => {
  const { base, server } = await startBase(() => {});
  const hanging = base
    .dispatch(recordRequest(handleName('10.5555/hangs'), {}), {
      abort: toTheEnd(),
      requester: GATEWAY_ITSELF,
    })
    .catch(() => {});
  await expect.poll(() => server.targets.length).toBe(1);
  base.circuit.check();
  await expect.poll(() => base.circuit.hasAnswered).toBe(true);
  await base.close();
  await hanging;
});

test('a 429 to one of the names that are probed for counts, where the other fails', async () => {
  const { base, server } = await startBase(() => {});
  server.behaveAlways((request, response) => {
    const isBusy = askedNames(request).names[0] === '10.5555/busy';
    answering(isBusy ? 429 : 500, '', { 'content-type': 'text/html' })(request, response);
  });
  base.circuit.check();
  await expect.poll(() => base.circuit.holding()?.failure.code).toBe('UPSTREAM_RATE_LIMITED');
});

test('a caller who goes takes away nothing of what was failing', async () => {
  const failing = answering(500, '', { 'content-type': 'text/html' });
  const { base, server } = await startBase(failing);
  const ask = (name: string, sentFor = toTheEnd()) =>
    base.dispatch(recordRequest(handleName(name), {}), { abort: sentFor, requester: GATEWAY_ITSELF });
  for (const name of ['10.5555/1', '10.5555/2', '10.5555/3', '10.5555/4']) await failureOf(ask(name));
  const caller = new LightAbort();
  const reason = new Error('the client has gone');
  server.behave(() => caller.abort(reason));
  await expect(ask('10.5555/left', caller)).rejects.toBe(reason);
  server.behave(failing);
  await failureOf(ask('10.5555/5'));
  await expect.poll(() => base.circuit.hasAnswered).toBe(true);
});

test('a name counts once, with whatever flags it is asked for', async () => {
  const { base, server } = await startBase(answering(500, '', { 'content-type': 'text/html' }));
  for (const name of ['10.5555/a', '10.5555/b'].map(handleName)) {
    for (const flags of [{}, { auth: true }, { cert: true }, { auth: true, cert: true }]) {
      await failureOf(
        base.dispatch(recordRequest(name, flags), { abort: toTheEnd(), requester: GATEWAY_ITSELF }),
      );
    }
  }
  expect(server.targets).toHaveLength(8);
  expect(server.probes).toHaveLength(0);
});

test('a probe waits for no connection of those before it that have no response', async () => {
  const { base, server, time } = await startBase(() => {});
  server.behaveAlways(() => {});
  base.circuit.checkSilence(1_000);
  for (let probes = 1; probes <= 6; probes += 1) {
    await expect.poll(() => server.probes.length).toBe(2 * probes);
    if (probes === 6) server.behaveAlways(notFound);
    time.advance(2_000);
  }
  await expect.poll(() => base.circuit.hasAnswered).toBe(true);
});

test('a probe that has its answer ends its other requests', async () => {
  const { base, server } = await startBase(() => {});
  await new Promise<void>((ended) => {
    const hanging = new Promise<void>((arrived) => {
      server.behaveAlways((request, response) => {
        if (askedNames(request).names[0] === '10.5555/busy') {
          response.on('close', ended);
          arrived();
        } else void hanging.then(() => notFound(request, response));
      });
    });
    base.circuit.check();
  });
  expect(base.circuit.hasAnswered).toBe(true);
});

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
  ['as it is sent', 'a', true],
  ['its first 500 characters', 'x'.repeat(2_000), false],
])('a span has the URL of its request, %s', async (_, suffix, isWhole) => {
  const { base } = await startBase(notFound);
  const request = recordRequest(handleName(`10.5555/${suffix}`), {});
  const kept: SpanAttributes[] = [];
  const requester = { ...GATEWAY_ITSELF, span: keepingSpan(kept) };
  await base.dispatch(request, { abort: toTheEnd(), requester });
  const url = `${base.base}${request.path}`;
  expect(kept.map((attributes) => attributes['url.full'])).toEqual([isWhole ? url : url.slice(0, 500)]);
});
