// npm run fuzz: sends generated requests to all endpoints of a gateway.
//   --seed S      selects the cases and the directory's responses (default: a seed from the clock)
//   --seconds N   the duration (default: 600)
//   --replay FILE runs only the case of a finding, with the seed of the finding
// npm run walk: sends random operations with faults to a gateway in this process. Afterwards the gauges of running requests
// and of reserved bytes must be back at their idle values.
//   --seed S      selects the operations and the directory's responses (default: a seed from the clock)
//   --count N     the number of operations (default: 10,000)

import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFlags, runBench, startQueue } from '../../bench/command.ts';
import { poll } from '../../bench/poll.ts';
import { PASSWORD } from './canaries.ts';
import { type Finding, fuzz, replay } from './fuzz.ts';
import { installGateway, jobsEnvironment } from './fuzzed-gateway.ts';
import { heldIn, walk } from './walk.ts';

const flags = readFlags({
  seed: Date.now() % 2 ** 31,
  seconds: 600,
  replay: '',
  walk: false,
  count: 10_000,
});

await runBench(async (folder) => {
  const redis = await startQueue();
  await redis?.client.config('SET', 'requirepass', PASSWORD);
  const queueUrl = redis?.url.replace('//', `//:${PASSWORD}@`);
  const jobs = queueUrl === undefined ? {} : jobsEnvironment(queueUrl, join(folder, 'jobs'));
  if (flags.walk) return runWalk(jobs);
  const installation = installGateway(folder, jobs);
  if (flags.replay !== '') {
    const faults = await replay(installation, JSON.parse(readFileSync(flags.replay, 'utf8')) as Finding);
    for (const { rule, what } of faults) console.log(`✗ ${rule}: ${what}`);
    console.log(`${faults.length} faults.`);
    return faults.length === 0;
  }
  console.log(`Seed ${flags.seed}, ${flags.seconds} s.`);
  const { findings, summary } = await fuzz(installation, flags.seed, flags.seconds);
  for (const [line, value] of Object.entries(summary)) console.log(`${line}: ${value}`);
  findings.forEach(print);
  console.log(`${findings.length} findings.`);
  return findings.length === 0;
});

function print({ seed, faults, fuzzCase }: Finding, at: number): void {
  const file = join(tmpdir(), `fuzz-${seed}-${at}.json`);
  writeFileSync(file, JSON.stringify({ seed, fuzzCase }, null, 1));
  console.log(`\n✗ npm run fuzz -- --replay ${file}`);
  for (const { rule, what } of faults) console.log(`  ${rule}: ${what}`);
  for (const { bytes } of fuzzCase) console.log(`  ${JSON.stringify(bytes.slice(0, 2_000))}`);
}

async function runWalk(environment: Readonly<Record<string, string>>): Promise<boolean> {
  console.log(`Seed ${flags.seed}, ${flags.count} operations.`);
  const walked = await walk({ seed: flags.seed, count: flags.count, environment });
  for (const [how, count] of walked.endings) console.log(`${how}: ${count}`);
  const readHeld = async () => heldIn(await walked.readMetrics());
  const held = await poll(readHeld, (names) => names.length === 0, { withinMs: 30_000, everyMs: 200 });
  await walked.close();
  const isIdle = held.length === 0;
  console.log(
    isIdle ? 'All gauges are at their idle values.' : `✗ gauges not at their idle values: ${held.join(', ')}`,
  );
  return isIdle;
}
