import { expect, onTestFinished, test } from 'vitest';
import { LightAbort } from '../../src/abortable.ts';
import { GATEWAY_ITSELF } from '../../src/directory/requester.ts';
import { createLog } from '../../src/log.ts';
import type { Span, SpanAttributes } from '../../src/tracing/tracer.ts';
import { createTroubleLog } from '../../src/trouble-log.ts';
import { createProxyBase } from '../../src/upstream/proxy-base.ts';
import { probeRequest, recordRequest } from '../../src/upstream/record-look-up.ts';
import { type Behaviour, requestedNames, startDirectoryServer } from '../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import { answering, failureOf, HTML, handleName, notFound } from './proxy-under-test.ts';

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
    onFailedUntil: () => {},
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
  /** Makes one attempt to look up a name. */
  const lookUp = (name: string, { abort = new LightAbort(), requester = GATEWAY_ITSELF, flags = {} } = {}) =>
    base.dispatch(recordRequest(handleName(name), flags), { abort, requester });
  return { base, server, time, lookUp };
}

test('a probe does not wait for connections that look-ups use', async () => {
  const { base, server, lookUp } = await startBase(() => {});
  const hanging = lookUp('10.5555/hangs').catch(() => {});
  await expect.poll(() => server.targets.length).toBe(1);
  base.circuit.check();
  await expect.poll(() => base.circuit.hasAnswered).toBe(true);
  await base.close();
  await hanging;
});

test('a 429 to one request of a probe counts, even if the other request fails', async () => {
  const { base, server } = await startBase(() => {});
  server.behaveAlways((request, response) => {
    const isBusy = requestedNames(request).names[0] === '10.5555/busy';
    answering(isBusy ? 429 : 500, '', HTML)(request, response);
  });
  base.circuit.check();
  await expect.poll(() => base.circuit.holding()?.failure.code).toBe('UPSTREAM_RATE_LIMITED');
});

test('an aborted look-up does not reset the count of failed names', async () => {
  const failing = answering(500, '', HTML);
  const { base, server, lookUp } = await startBase(failing);
  for (const name of ['10.5555/1', '10.5555/2', '10.5555/3', '10.5555/4']) await failureOf(lookUp(name));
  const abort = new LightAbort();
  const reason = new Error('the client has gone');
  server.behave(() => abort.abort(reason));
  await expect(lookUp('10.5555/left', { abort })).rejects.toBe(reason);
  server.behave(failing);
  await failureOf(lookUp('10.5555/5'));
  await expect.poll(() => base.circuit.hasAnswered).toBe(true);
});

test('a name counts once if it fails with several combinations of auth and cert', async () => {
  const { server, lookUp } = await startBase(answering(500, '', HTML));
  for (const name of ['10.5555/a', '10.5555/b']) {
    for (const flags of [{}, { auth: true }, { cert: true }, { auth: true, cert: true }]) {
      await failureOf(lookUp(name, { flags }));
    }
  }
  expect(server.targets).toHaveLength(8);
  expect(server.probes).toHaveLength(0);
});

test('a probe does not wait for connections that earlier probes use', async () => {
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

test('the first answer to a probe aborts its other request', async () => {
  const { base, server } = await startBase(() => {});
  await new Promise<void>((ended) => {
    const hanging = new Promise<void>((arrived) => {
      server.behaveAlways((request, response) => {
        if (requestedNames(request).names[0] === '10.5555/busy') {
          response.on('close', ended);
          arrived();
        } else void hanging.then(() => notFound(request, response));
      });
    });
    base.circuit.check();
  });
  expect(base.circuit.hasAnswered).toBe(true);
});

/** A span that adds the attributes of its children to `kept`. */
function createSpan(kept: SpanAttributes[]): Span {
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
  ['the URL of its request', 'a', true],
  ['at most 500 characters of the URL', 'x'.repeat(2_000), false],
])('a span has %s', async (_, suffix, isWhole) => {
  const { base, lookUp } = await startBase(notFound);
  const name = handleName(`10.5555/${suffix}`);
  const kept: SpanAttributes[] = [];
  await lookUp(name, { requester: { ...GATEWAY_ITSELF, span: createSpan(kept) } });
  const url = `${base.base}${recordRequest(name, {}).path}`;
  expect(kept.map((attributes) => attributes['url.full'])).toEqual([isWhole ? url : url.slice(0, 500)]);
});
