// docker-compose.yml: each container has a memory limit and enough time to stop.

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/config.ts';
import { textOf } from './deploy-files.ts';

interface Service {
  readonly image: string;
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
  readonly environment?: Readonly<Record<string, string | null>>;
}

const { services } = parse(textOf('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
};
const gateways = Object.entries(services).filter(([, { image }]) => image === 'doi-gateway');

/** The memory of a process outside its heap, as in templates/_memory.tpl of the chart. */
const BESIDE_THE_HEAP_MIB = 192 + 192 + 64;

test('each container has a memory limit', () => {
  const without = Object.entries(services).filter(([, { mem_limit }]) => !/^\d+[mg]$/.test(mem_limit ?? ''));
  expect(without.map(([name]) => name)).toEqual([]);
});

test('the heap of each gateway fits into its memory limit', () => {
  expect(gateways).toHaveLength(5);
  for (const [name, { environment }] of gateways) {
    const [, heap = ''] = /^--max-old-space-size=(\d+)$/.exec(environment?.['NODE_OPTIONS'] ?? '') ?? [];
    expect([name, Number(heap)]).toEqual([name, 1_024 - BESIDE_THE_HEAP_MIB]);
    expect([name, services[name]?.mem_limit]).toEqual([name, '1g']);
  }
});

test('each gateway has enough time to stop', () => {
  const stopMs = Number(VARIABLES.SHUTDOWN_DRAIN_MS.default) + Number(VARIABLES.SHUTDOWN_TIMEOUT_MS.default);
  for (const [name, { stop_grace_period = '' }] of gateways) {
    expect([name, Number.parseInt(stop_grace_period, 10) * 1_000 > stopMs]).toEqual([name, true]);
  }
});

test('each gateway sets only existing variables', () => {
  for (const [, { environment = {} }] of gateways) {
    const { NODE_OPTIONS: _, ...ours } = environment;
    expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(Object.keys(ours)));
  }
});
