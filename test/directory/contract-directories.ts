// The same records in two directories: in memory, and behind a server that acts as the proxy.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalName } from 'doi-names';
import type { Directory } from '../../src/directory/directory.ts';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import { wireValue } from '../handle/wire.ts';
import { startDirectoryServer } from '../support/directory-server.ts';
import { createProxyAt, handleName, NOW } from '../upstream/proxy-under-test.ts';
import { createWireProxy } from './wire-proxy.ts';

/** Names beside the bundled records. The type of the value of each name is the name. */
export const OTHER_NAMES: readonly string[] = [
  ...['10.1000/a/b', '10.1000/a%2Fb', '10.1000/a%252Fb', '10.1000//a', '10.1000//dbl2', '10.1000/a'],
  ...['10.1000/a/', '10.1000/./a', '10.1000/../a', '10.1000/b/../a', '10.1000/b/.', '10.1000/..'],
  ...['10.1000/.../...', '10.1000/100%', '10.1000/a#b', '10.1000/a?b', '10.1000/a?auth=true', '10.1000/a b'],
  ...['10.1000/a+b', '10.1000/a&b=c;d', '10.1000/a\\b', '10.1000/a"<>{}^[]`|b', '10.1000/a,b', '10.1000/,'],
  ...['10.1000/a,10.1000/1', '10.1000/caf\u00e9', '10.1000/\u212a', '10.1000/\u0130', '10.1000/😀𝔇'],
  ...['x', '𝔇', '%'].map((character) => `10.1000/${character.repeat(92)}`),
  '10.1021.5/x',
];

/** Handles that are not DOI names, with the same type of values. */
export const OTHER_HANDLES: readonly string[] = ['2381/ABC', '2381/abc', '20.500.Prefix/Item'];

const BUNDLED_RECORDS = new URL('../../data/sample-directory.jsonl', import.meta.url);
const BUNDLED_AGENCIES = new URL('../../data/prefix-agencies.json', import.meta.url);
const WIRE_RECORDS = new URL('../fixtures/wire-directory.jsonl', import.meta.url);
const HARD_DOIS = new URL('../fixtures/hard-dois.txt', import.meta.url);

export interface ContractDirectories {
  readonly embedded: Directory;
  readonly proxy: Directory;
  /** real DOI names that break careless code, with the same type of values */
  readonly hardNames: readonly string[];
  close(): Promise<void>;
}

interface Line {
  readonly handle: string;
  readonly values: readonly unknown[];
}

/** The bundled records and agencies, the records of the reference proxy, and the names of the two lists above. */
export async function startContractDirectories(): Promise<ContractDirectories> {
  const hardNames = await linesOf(HARD_DOIS);
  const stored = [...(await linesOf(WIRE_RECORDS)), ...(await linesOf(BUNDLED_RECORDS))];
  const lines: readonly Line[] = [
    ...stored.map((line) => JSON.parse(line)),
    { handle: '10.5555/valueless', values: [] },
    ...[...OTHER_NAMES, ...OTHER_HANDLES, ...hardNames].map((handle) => ({
      handle,
      values: [wireValue({ type: handle })],
    })),
  ];
  const byName = new Map(lines.map((line) => [canonicalName(handleName(line.handle)), line]));

  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-'));
  const recordsFile = join(folder, 'records.jsonl');
  await writeFile(recordsFile, Array.from(byName.values(), (line) => JSON.stringify(line)).join('\n'));
  const agenciesFile = fileURLToPath(BUNDLED_AGENCIES);
  const embedded = await createEmbeddedDirectory({ recordsFile, agenciesFile, clock: () => NOW });
  await rm(folder, { recursive: true });

  const wireValues = new Map(Array.from(byName, ([name, { values }]) => [name, values]));
  const server = await startDirectoryServer(createWireProxy(embedded, wireValues));
  const { directory: proxy } = createProxyAt(server.url);
  return {
    embedded,
    proxy,
    hardNames,
    async close() {
      await proxy.close();
      await embedded.close();
      await server.close();
    },
  };
}

async function linesOf(file: URL): Promise<string[]> {
  return (await readFile(file, 'utf8')).trimEnd().split('\n');
}
