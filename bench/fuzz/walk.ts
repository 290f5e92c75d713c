// Random operations on all faces of a gateway in this process, with faults: clients leave at a random byte, and the
// directory fails at random. It ends when all clients have ended; what the gateway still holds is for its caller to see.

import fc from 'fast-check';
import { startGateway } from '../../test/support/gateway.ts';
import { weighted } from './arbitraries.ts';
import { converse, type Leaving } from './conversation.ts';
import { startFuzzDirectory } from './directory.ts';
import { seedOf } from './directory-answers.ts';
import { HASTY_LIMITS, hastyEnvironment } from './fuzzed-gateway.ts';
import { oneRequest } from './requests.ts';

// What a gateway's metrics say that it still holds when nothing is asked of it.

/** Gauges that are at rest at this value, summed over their labels. */
const AT_REST: Readonly<Record<string, number>> = {
  doi_gateway_work_bytes: 0,
  // The request that reads the metrics.
  doi_gateway_http_requests_in_flight: 1,
};

/** `[]`: nothing. A gauge that is missing shows nothing, so it is no rest. */
export function heldIn(metrics: string): string[] {
  return Object.entries(AT_REST).flatMap(([name, rest]) => {
    const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
    const sum = values.reduce((total, [, value]) => total + Number(value), 0);
    if (values.length === 0) return [`${name} missing`];
    return sum >= 0 && sum <= rest ? [] : [`${name} ${sum}`];
  });
}

export interface WalkOptions {
  readonly seed: number;
  readonly count: number;
  /** beside the environment of the fuzzer's gateways */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Walk {
  /** the gateway's metrics as text, read over HTTP */
  readMetrics(): Promise<string>;
  /** how often each ending came: of a client that left, and of those that stayed */
  readonly endings: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Operations at a time. */
const AT_ONCE = 40;
const ROUND = 100;

const leavings: fc.Arbitrary<Leaving | undefined> = weighted(
  [4, fc.constant(undefined)],
  [2, fc.nat(5_000).map((bytes): Leaving => ({ after: 'sent', bytes }))],
  [2, fc.nat(3_000).map((bytes): Leaving => ({ after: 'received', bytes }))],
  [2, fc.nat(400).map((ms): Leaving => ({ after: 'time', ms }))],
);
const steps = fc.tuple(oneRequest, leavings);

export async function walk({ seed, count, environment = {} }: WalkOptions): Promise<Walk> {
  const directory = await startFuzzDirectory(seed);
  const gateway = await startGateway(
    { limits: HASTY_LIMITS },
    { ...hastyEnvironment(directory), ...environment },
  );
  const port = Number(new URL(gateway.url).port);
  const endings = new Map<string, number>();
  const queue = generate(seed, count);
  const clients = Array.from({ length: AT_ONCE }, async () => {
    for (const [request, leaving] of queue) {
      const { ending } = await converse(port, request, leaving);
      const how = leaving === undefined ? ending : `left: ${leaving.after}`;
      endings.set(how, (endings.get(how) ?? 0) + 1);
    }
  });
  await Promise.all(clients);
  return {
    readMetrics: async () => (await fetch(`${gateway.url}/metrics`)).text(),
    endings,
    async close() {
      await gateway.close();
      await directory.close();
    },
  };
}

/** Made a round at a time: ten thousand of them would take hundreds of megabytes. */
function* generate(seed: number, count: number) {
  for (let made = 0; made < count; made += ROUND) {
    const numRuns = Math.min(ROUND, count - made);
    yield* fc.sample(steps, { seed: seedOf(seed, made), numRuns });
  }
}
