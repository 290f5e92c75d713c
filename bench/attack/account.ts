// What the gateway's account of work in hand holds, as its metrics say.

import { setTimeout } from 'node:timers/promises';

const GAUGE = /^doi_gateway_work_bytes(?:\{[^}]*\})? (\S+)$/m;
const READ_WITHIN_MS = 6_000;
const EVERY_MS = 150;

/**
 * Zero as soon as the gauge says so, else what it says last: the honest client's request may be in hand, and the
 * metrics are rendered once a second. Null where there is no such gauge.
 */
export async function readAccount(url: string): Promise<number | null> {
  const until = performance.now() + READ_WITHIN_MS;
  for (;;) {
    const response = await fetch(`${url}/metrics`);
    const bytes = GAUGE.exec(await response.text())?.[1];
    if (bytes === undefined) return null;
    if (Number(bytes) === 0 || performance.now() > until) return Number(bytes);
    await setTimeout(EVERY_MS);
  }
}
