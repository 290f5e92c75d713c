// npm run fuzz: generated requests on all faces of a gateway whose directory answers by the same seed.
//   --seed S      which cases (a new one each time)     --seconds N  for how long (600)
//   --replay FILE a case that was found, played alone

import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endServers } from '../node-process.ts';
import { type Finding, fuzz } from './fuzz.ts';
import { installGateway } from './fuzzed-gateway.ts';
import { startFuzzQueue } from './queue.ts';
import { replay } from './replay.ts';
import type { FuzzCase } from './requests.ts';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '600' },
    replay: { type: 'string' },
  },
});

const queue = await startFuzzQueue();
const installation = installGateway(queue.url);
try {
  process.exitCode = (flags.replay === undefined ? await run() : await again(flags.replay)) ? 0 : 1;
} finally {
  await endServers();
  await queue.close();
  installation.remove();
}

async function run(): Promise<boolean> {
  const seed = Number(flags.seed);
  console.log(`Seed ${seed}, ${flags.seconds} s.`);
  const { findings, summary } = await fuzz({ seed, seconds: Number(flags.seconds), installation });
  for (const [line, value] of Object.entries(summary)) console.log(`${line}: ${value}`);
  findings.forEach(print);
  console.log(`${findings.length} findings.`);
  return findings.length === 0;
}

function print({ seed, faults, found }: Finding, at: number): void {
  const file = join(tmpdir(), `fuzz-${seed}-${at}.json`);
  writeFileSync(file, JSON.stringify({ seed, found }, null, 1));
  console.log(`\n✗ npm run fuzz -- --replay ${file}`);
  for (const { rule, what } of faults) console.log(`  ${rule}: ${what}`);
  for (const { bytes } of found) console.log(`  ${JSON.stringify(bytes.slice(0, 2_000))}`);
}

async function again(file: string): Promise<boolean> {
  const { seed, found } = JSON.parse(readFileSync(file, 'utf8')) as { seed: number; found: FuzzCase };
  const faults = await replay({ seed, found, installation });
  for (const { rule, what } of faults) console.log(`✗ ${rule}: ${what}`);
  console.log(`${faults.length} faults.`);
  return faults.length === 0;
}
