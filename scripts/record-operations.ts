// npm run operations: runs the tests and writes their requests to /graphql into test/fixtures/operations.jsonl, each once.
// The arguments are the test files; without arguments, the folders below.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedOperation } from '../test/support/operation-recorder.ts';

const CORPUS = fileURLToPath(new URL('../test/fixtures/operations.jsonl', import.meta.url));
const MAX_BYTES = 1_000_000;
/** Property tests send the same document many times. */
const MAX_OF_ONE_DOCUMENT = 4;

const FOLDERS = ['schema', 'graphql', 'http', 'federation', 'abuse', 'readme', 'clients'];
/** Tests whose requests are generated, or come from the fixture itself. */
const LEFT_OUT = ['browser', 'parity', 'generated', 'composition'];

const folder = mkdtempSync(join(tmpdir(), 'operations-'));
try {
  const file = join(folder, 'recorded.jsonl');
  writeFileSync(file, '');
  const given = process.argv.slice(2);
  const files = given.length > 0 ? given : FOLDERS.map((name) => `test/${name}`);
  const left = LEFT_OUT.flatMap((word) => ['--exclude', `**/*${word}*`]);
  spawnSync('npx', ['vitest', 'run', ...files, ...left], {
    stdio: 'inherit',
    env: { ...process.env, RECORD_OPERATIONS: file },
  });
  const kept = corpusOf(readFileSync(file, 'utf8').split('\n').filter(Boolean));
  writeFileSync(CORPUS, kept.map((line) => `${line}\n`).join(''));
  console.log(`${kept.length} operations in ${CORPUS}`);
} finally {
  rmSync(folder, { recursive: true });
}

/** Each line once, and few lines of each document. Short lines come first, in a stable order. */
function corpusOf(lines: readonly string[]): readonly string[] {
  const unique = [...new Set(lines)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const times = new Map<string, number>();
  const kept: string[] = [];
  let bytes = 0;
  for (const line of unique) {
    const document = documentOf(JSON.parse(line) as RecordedOperation);
    const count = times.get(document) ?? 0;
    times.set(document, count + 1);
    bytes += count < MAX_OF_ONE_DOCUMENT ? Buffer.byteLength(line) + 1 : 0;
    if (bytes > MAX_BYTES) break;
    if (count < MAX_OF_ONE_DOCUMENT) kept.push(line);
  }
  return kept;
}

/** The same for requests that differ only in their variables, or in the numbers of the document. */
function documentOf(operation: RecordedOperation): string {
  return textOf(operation).replace(/\d+/g, '0');
}

function textOf({ method, headers, query, body }: RecordedOperation): string {
  const shape = `${method} ${headers['accept']} ${headers['content-type']} `;
  try {
    const text = body === null ? new URLSearchParams(query).get('query') : JSON.parse(body).query;
    return typeof text === 'string' ? shape + text : shape + query + body;
  } catch {
    return shape + query + body;
  }
}
