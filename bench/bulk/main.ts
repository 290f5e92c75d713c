// `doi bulk` over a large file and a directory on loopback: that its memory is flat, and that breaking it off at
// random and going on gives the file of an undisturbed run. Run with
//   npm run bulk-bench -- [rows] [times broken off] [further options of doi bulk, such as --dedupe]

import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readMemory, readUsage } from '../process-usage.ts';
import { type BenchDirectory, endAll, startDirectory, startProcess } from '../stage.ts';
import { printTable } from '../table.ts';
import { writeSampleFile } from './sample-file.ts';

const rows = Number(process.argv[2] ?? 100_000);
const times = Number(process.argv[3] ?? 10);
const more = process.argv.slice(4);
const fields = more.includes('--fields') ? [] : ['--fields', 'name,exists,target'];
const SAMPLES = 24;
const MIB = 2 ** 20;
/** The goal of `doi bulk`, in resident memory. */
const MOST_BYTES = 400_000_000;

const folder = mkdtempSync(join(tmpdir(), 'bulk-bench-'));
const input = join(folder, 'input.csv');

interface Sample {
  readonly seconds: number;
  readonly outputBytes: number;
  readonly rssMib: number;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly cpuSeconds: number;
  readonly samples: readonly Sample[];
}

interface Ending {
  readonly signal: NodeJS.Signals;
  /** as soon as the output has so many bytes */
  readonly atBytes: number;
}

/** One call, broken off where that is asked for. */
async function run(directory: BenchDirectory, output: string, ending: Ending | null): Promise<Ended> {
  const args = ['bulk', input, '--output', output, '--resume', ...fields, ...more];
  const child = startProcess('../src/tools/cli/doi.ts', args, { DOI_DIRECTORY_URL: directory.url });
  child.stdout?.resume();
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  const begin = performance.now();
  const samples: Sample[] = [];
  let cpuMs = 0;
  let isBroken = false;
  while (!isEnded) {
    await new Promise((done) => setTimeout(done, 20));
    const outputBytes = sizeOf(output);
    if (ending !== null && !isBroken && outputBytes >= ending.atBytes) {
      isBroken = child.kill(ending.signal);
    }
    const memory = readMemory(child.pid ?? -1);
    cpuMs = readUsage(child.pid ?? -1)?.cpuMs ?? cpuMs;
    if (memory === null || memory.rssBytes === 0) continue;
    samples.push({
      seconds: (performance.now() - begin) / 1_000,
      outputBytes,
      rssMib: memory.rssBytes / MIB,
    });
  }
  const [code, signal] = await ended;
  return { code, signal, cpuSeconds: cpuMs / 1_000, samples };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The first line in which they differ, as both have it; null where they are the same. */
async function firstDifference(one: string, other: string): Promise<readonly string[] | null> {
  const theirs = createInterface(createReadStream(other))[Symbol.asyncIterator]();
  for await (const line of createInterface(createReadStream(one))) {
    const { value } = await theirs.next();
    if (line !== value) return [line, String(value)];
  }
  const { value } = await theirs.next();
  if (value !== undefined) return ['', value];
  return sizeOf(one) === sizeOf(other) ? null : [`${sizeOf(one)} bytes`, `${sizeOf(other)} bytes`];
}

try {
  await writeSampleFile(input, rows);
  const directory = await startDirectory();
  console.log(`${rows} rows, ${Math.round(sizeOf(input) / MIB)} MiB; doi bulk ${more.join(' ')}`);

  const whole = join(folder, 'whole.csv');
  const undisturbed = await run(directory, whole, null);
  if (undisturbed.code === null || undisturbed.code > 1) throw new Error('the undisturbed run failed');
  const seen = await directory.tell({ count: true });
  const { samples } = undisturbed;
  const step = Math.max(1, Math.floor(samples.length / SAMPLES));
  printTable(
    'Memory of an undisturbed run',
    ['seconds', 'output MiB', 'RSS MiB'],
    samples
      .filter((_, index) => index % step === 0 || index === samples.length - 1)
      .map(({ seconds, outputBytes, rssMib }) => [seconds, outputBytes / MIB, Math.round(rssMib)]),
  );
  const seconds = samples.at(-1)?.seconds ?? 0;
  // But for its very end, when memory is given back.
  const half = samples.slice(samples.length >> 1, -5).map(({ rssMib }) => rssMib);
  printTable(
    'The undisturbed run',
    [
      'exit code',
      'seconds',
      'rows a second',
      'CPU µs a row',
      'look-ups',
      'second half: least RSS MiB',
      'most',
    ],
    [
      [
        undisturbed.code,
        seconds,
        Math.round(rows / seconds),
        (undisturbed.cpuSeconds * 1e6) / rows,
        seen.records,
        Math.round(Math.min(...half)),
        Math.round(Math.max(...half)),
      ],
    ],
  );

  const most = Math.max(...samples.map(({ rssMib }) => rssMib)) * MIB;
  const isSmall = most < MOST_BYTES;
  console.log(`\nBelow 400 MB: ${isSmall ? 'yes' : 'NO'}, ${Math.round(most / 1e6)} MB`);

  const broken = join(folder, 'broken.csv');
  const rounds: (readonly [number, string, string, number])[] = [];
  for (let index = 0; index < times; index += 1) {
    // Every third one gets no chance to write anything.
    const signal = index % 3 === 2 ? 'SIGKILL' : 'SIGINT';
    const written = sizeOf(broken);
    const share = (2 * (sizeOf(whole) - written)) / (times - index + 1);
    const atBytes = written + 1 + Math.floor(Math.random() * share);
    const ended = await run(directory, broken, { signal, atBytes });
    rounds.push([index + 1, signal, String(ended.code ?? ended.signal), sizeOf(broken)]);
  }
  const last = await run(directory, broken, null);
  rounds.push([times + 1, 'none', String(last.code), sizeOf(broken)]);
  printTable('Broken off at random, and gone on', ['call', 'signal', 'ended with', 'output bytes'], rounds);
  const difference = await firstDifference(whole, broken);
  console.log(`\nThe same as the undisturbed file, byte for byte: ${difference ? 'NO' : 'yes'}`);
  if (difference) console.log(`undisturbed: ${difference[0]}\ngone on:     ${difference[1]}`);
  process.exitCode = difference || !isSmall ? 1 : 0;
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
