// npm run walk: random operations with faults on a gateway in this process, which holds nothing of them afterwards.
//   --seed S   which operations (new ones each time)     --count N   how many (10,000)

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { heldIn } from './at-rest.ts';
import { jobsEnvironment } from './fuzzed-gateway.ts';
import { startFuzzQueue } from './queue.ts';
import { type Walk, walk } from './walk.ts';

const QUIET_WITHIN_MS = 30_000;
const LOOK_MS = 200;

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    count: { type: 'string', default: '10000' },
  },
});

const queue = await startFuzzQueue();
const folder = mkdtempSync(join(tmpdir(), 'doi-walk-'));
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await queue.close();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<boolean> {
  console.log(`Seed ${flags.seed}, ${flags.count} operations.`);
  const begin = performance.now();
  const environment = queue.url === null ? {} : jobsEnvironment(queue.url, join(folder, 'jobs'));
  const walked = await walk({ seed: Number(flags.seed), count: Number(flags.count), environment });
  for (const [how, count] of walked.endings) console.log(`${how}: ${count}`);
  const held = await quiet(walked);
  await walked.close();
  console.log(held.length === 0 ? 'At rest: nothing is held.' : `✗ still held: ${held.join(', ')}`);
  console.log(`${Math.round((performance.now() - begin) / 1_000)} s.`);
  return held.length === 0;
}

/** What is still held when nothing more is given back. */
async function quiet({ readMetrics }: Walk): Promise<string[]> {
  const until = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const held = heldIn(await readMetrics());
    if (held.length === 0 || performance.now() > until) return held;
    await setTimeout(LOOK_MS);
  }
}
