// One case against a gateway: all its requests at once, and what is wrong then.

import { converse } from './conversation.ts';
import { startFuzzDirectory } from './directory.ts';
import { type Fault, faultsOf } from './faults.ts';
import type { FuzzedGateway, Installation } from './fuzzed-gateway.ts';
import type { FuzzCase } from './requests.ts';

/** What answers of a case never show by themselves is looked for after it. */
export async function play(found: FuzzCase, gateway: FuzzedGateway): Promise<Fault[]> {
  const talks = await Promise.all(
    found.map(async (request) => ({ request, talk: await converse(gateway.port, request) })),
  );
  const faults = talks.flatMap(({ request, talk }) => faultsOf(request, talk));
  const said = gateway.complaints().map((what) => ({ rule: 'nothing on stderr, no error in the log', what }));
  const ended = gateway.isAlive() ? [] : [{ rule: 'the process lives', what: gateway.lastWords() }];
  return [...ended, ...said, ...faults];
}

export interface ReplayOptions {
  readonly seed: number;
  readonly found: FuzzCase;
  readonly installation: Installation;
}

/** With a gateway and a directory of its own. */
export async function replay({ seed, found, installation }: ReplayOptions): Promise<Fault[]> {
  const directory = await startFuzzDirectory(seed);
  const gateway = await installation.start(directory.url);
  try {
    return await play(found, gateway);
  } finally {
    await gateway.end();
    await directory.close();
  }
}
