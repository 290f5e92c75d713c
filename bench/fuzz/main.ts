// npm run fuzz: sends generated requests to all endpoints of a gateway.
//   --seed S      selects the cases and the directory's responses (default: a seed from the clock)
//   --seconds N   the duration (default: 600)
//   --replay FILE runs only the case of a finding, with the seed of the finding
// npm run walk: sends random operations with faults to a gateway in this process. Afterwards the gauges of running requests
// and of work bytes must be back at their idle values.
//   --seed S      selects the operations and the directory's responses (default: a seed from the clock)
//   --count N     the number of operations (default: 10,000)

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { endServers } from '../node-process.ts';
import { type Finding, fuzz, replay } from './fuzz.ts';
import { installGateway, jobsEnvironment, startFuzzQueue } from './fuzzed-gateway.ts';
import { heldIn, type Walk, walk } from './walk.ts';

const IDLE_WITHIN_MS = 30_000;
const POLL_MS = 200;

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '600' },
    replay: { type: 'string' },
    walk: { type: 'boolean', default: false },
    count: { type: 'string', default: '10000' },
  },
});
const seed = Number(flags.seed);
const queue = await startFuzzQueue();
const folder = mkdtempSync(join(tmpdir(), 'doi-walk-'));
try {
  process.exitCode = (await (flags.walk ? runWalk() : runFuzz())) ? 0 : 1;
} finally {
  await endServers();
  await queue.close();
  rmSync(folder, { recursive: true, force: true });
}

async function runFuzz(): Promise<boolean> {
  const installation = installGateway(queue.url);
  try {
    if (flags.replay !== undefined) {
      const finding = JSON.parse(readFileSync(flags.replay, 'utf8')) as Finding;
      const faults = await replay(installation, finding);
      for (const { rule, what } of faults) console.log(`✗ ${rule}: ${what}`);
      console.log(`${faults.length} faults.`);
      return faults.length === 0;
    }
    console.log(`Seed ${seed}, ${flags.seconds} s.`);
    const { findings, summary } = await fuzz(installation, seed, Number(flags.seconds));
    for (const [line, value] of Object.entries(summary)) console.log(`${line}: ${value}`);
    findings.forEach(print);
    console.log(`${findings.length} findings.`);
    return findings.length === 0;
  } finally {
    await endServers();
    installation.remove();
  }
}

function print({ faults, fuzzCase }: Finding, at: number): void {
  const file = join(tmpdir(), `fuzz-${seed}-${at}.json`);
  writeFileSync(file, JSON.stringify({ seed, fuzzCase }, null, 1));
  console.log(`\n✗ npm run fuzz -- --replay ${file}`);
  for (const { rule, what } of faults) console.log(`  ${rule}: ${what}`);
  for (const { bytes } of fuzzCase) console.log(`  ${JSON.stringify(bytes.slice(0, 2_000))}`);
}

async function runWalk(): Promise<boolean> {
  console.log(`Seed ${seed}, ${flags.count} operations.`);
  const begin = performance.now();
  const environment = queue.url === null ? {} : jobsEnvironment(queue.url, join(folder, 'jobs'));
  const walked = await walk({ seed, count: Number(flags.count), environment });
  for (const [how, count] of walked.endings) console.log(`${how}: ${count}`);
  const held = await heldWhenIdle(walked);
  await walked.close();
  console.log(
    held.length === 0
      ? 'All gauges are at their idle values.'
      : `✗ gauges that are not at their idle values: ${held.join(', ')}`,
  );
  console.log(`${Math.round((performance.now() - begin) / 1_000)} s.`);
  return held.length === 0;
}

/** Waits until all gauges are at their idle values, at most IDLE_WITHIN_MS. Returns the gauges that are not. */
async function heldWhenIdle({ readMetrics }: Walk): Promise<string[]> {
  const until = performance.now() + IDLE_WITHIN_MS;
  for (;;) {
    const held = heldIn(await readMetrics());
    if (held.length === 0 || performance.now() > until) return held;
    await setTimeout(POLL_MS);
  }
}
