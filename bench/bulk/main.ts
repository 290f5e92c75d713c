// Runs `doi bulk` on a large file, against a DOI directory on loopback. Measures whether its memory stays flat. Checks
// that a run with random interruptions writes the same file as a run without them.
//   npm run bulk-bench -- [rows] [interruptions] [further options of doi bulk, such as --dedupe]

import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runBench } from '../command.ts';
import { readMemory, readUsage, startDirectory, startModule } from '../node-process.ts';
import { type Cell, printTable } from '../table.ts';

const rows = Number(process.argv[2] ?? 100_000);
const interruptions = Number(process.argv[3] ?? 10);
const furtherOptions = process.argv.slice(4);
const fields = furtherOptions.includes('--fields') ? [] : ['--fields', 'name,exists,target'];
const SAMPLES = 24;
const MIB = 2 ** 20;
/** The limit of the resident memory of `doi bulk`. */
const MAX_RSS_BYTES = 400_000_000;

/** Seconds since the start, bytes of the output, MiB of resident memory. */
type Sample = readonly [seconds: number, outputBytes: number, rssMib: number];

interface Interruption {
  readonly signal: NodeJS.Signals;
  /** The bench sends the signal when the output has this many bytes. */
  readonly atBytes: number;
}

/** Writes a CSV file like those of users: titles with commas and line ends, repeated names, and malformed lines. */
async function writeSampleFile(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write('id,DOI,title\r\n');
  for (let row = 0; row < rows; row += 1) if (!file.write(sampleRow(row))) await once(file, 'drain');
  file.end();
  await once(file, 'close');
}

function sampleRow(row: number): string {
  if (row % 5_003 === 7) return `${row},"10.5555/bulk-${row}\r\n`;
  if (row % 1_009 === 5) return `${row},978-3-16-148410-0,"A book, and no DOI"\r\n`;
  if (row % 211 === 3) return `${row},10.5555/BULK-${row - 3},"The one before, ""shouted"""\r\n`;
  if (row % 97 === 1) return `${row},https://doi.org/10.5555/bulk-${row},"Two\r\nlines"\r\n`;
  return `${row},10.5555/bulk-${row},"Über dies, and that"\r\n`;
}

/** Runs `doi bulk` once. Sends a signal to it if an interruption is given. */
async function run(url: string, input: string, output: string, interruption?: Interruption) {
  const args = ['bulk', input, '--output', output, '--resume', ...fields, ...furtherOptions];
  const doi = new URL('../../src/tools/cli/doi.ts', import.meta.url);
  const child = startModule(doi, args, { DOI_DIRECTORY_URL: url });
  const begin = performance.now();
  const samples: Sample[] = [];
  let cpuMs = 0;
  let isInterrupted = false;
  while (child.exitCode === null && child.signalCode === null) {
    await setTimeout(20);
    const bytes = sizeOf(output);
    if (interruption && !isInterrupted && bytes >= interruption.atBytes)
      isInterrupted = child.kill(interruption.signal);
    cpuMs = readUsage(child.pid ?? -1)?.cpuMs ?? cpuMs;
    const { rssBytes } = readMemory(child.pid ?? -1) ?? { rssBytes: 0 };
    if (rssBytes > 0) samples.push([(performance.now() - begin) / 1_000, bytes, rssBytes / MIB]);
  }
  return { end: child.exitCode ?? child.signalCode, cpuSeconds: cpuMs / 1_000, samples };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns the first line that differs, from both files; null if the files are the same. */
function firstDifference(paths: readonly string[]): readonly unknown[] | null {
  const [one = [], other = []] = paths.map((path) => readFileSync(path, 'latin1').split('\n'));
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one];
  const at = longer.findIndex((line, index) => line !== shorter[index]);
  return at === -1 ? null : [one[at], other[at]];
}

await runBench(async (folder) => {
  const fileOf = (name: string): string => join(folder, `${name}.csv`);
  const [input, whole, broken] = [fileOf('input'), fileOf('whole'), fileOf('broken')];
  await writeSampleFile(input);
  const directory = await startDirectory();
  console.log(`${rows} rows, ${Math.round(sizeOf(input) / MIB)} MiB; doi bulk ${furtherOptions.join(' ')}`);

  const { end, cpuSeconds, samples } = await run(directory.url, input, whole);
  if (end !== 0 && end !== 1) throw new Error('the run without interruption failed');
  const counts = await directory.count();
  const step = Math.max(1, Math.floor(samples.length / SAMPLES));
  printTable(
    'Memory of a run without interruption',
    ['seconds', 'output MiB', 'RSS MiB'],
    samples
      .filter((_, index) => index % step === 0 || index === samples.length - 1)
      .map(([seconds, bytes, rssMib]) => [seconds, bytes / MIB, Math.round(rssMib)]),
  );
  const [seconds] = samples.at(-1) ?? [0];
  // Without the last five samples: at its end the process frees memory.
  const secondHalf = samples.slice(samples.length >> 1, -5).map(([, , rssMib]) => rssMib);
  const figures: Readonly<Record<string, number>> = {
    'exit code': end,
    seconds,
    'rows per second': Math.round(rows / seconds),
    'CPU µs per row': (cpuSeconds * 1e6) / rows,
    'look-ups': counts.records,
    'second half: smallest RSS MiB': Math.round(Math.min(...secondHalf)),
    'second half: largest RSS MiB': Math.round(Math.max(...secondHalf)),
  };
  printTable('The run without interruption', Object.keys(figures), [Object.values(figures)]);

  const peakBytes = Math.max(...samples.map(([, , rssMib]) => rssMib)) * MIB;
  const isBelowLimit = peakBytes < MAX_RSS_BYTES;
  console.log(`\nBelow 400 MB: ${isBelowLimit ? 'yes' : 'NO'}, ${Math.round(peakBytes / 1e6)} MB`);

  const calls: Cell[][] = [];
  for (let index = 0; index <= interruptions; index += 1) {
    const isLast = index === interruptions;
    // Every third signal is SIGKILL, after which the process cannot write.
    const signal = index % 3 === 2 ? 'SIGKILL' : 'SIGINT';
    const written = sizeOf(broken);
    const share = (2 * (sizeOf(whole) - written)) / (interruptions - index + 1);
    const atBytes = written + 1 + Math.floor(Math.random() * share);
    const ended = await run(directory.url, input, broken, isLast ? undefined : { signal, atBytes });
    calls.push([index + 1, isLast ? 'none' : signal, String(ended.end), sizeOf(broken)]);
  }
  printTable('Calls with random interruptions', ['call', 'signal', 'ended with', 'output bytes'], calls);
  const difference = firstDifference([whole, broken]);
  console.log(`\nThe same file, byte for byte: ${difference ? 'NO' : 'yes'}`);
  if (difference) console.log(`whole:     ${difference[0]}\ncontinued: ${difference[1]}`);
  return difference === null && isBelowLimit;
});
