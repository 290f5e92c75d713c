// Sends random operations to all endpoints of a gateway in this process, with faults: clients close the connection at a
// random byte, and the directory fails at random. Resolves when all clients have ended. The caller then checks that the
// gauges of running requests and of reserved bytes are back at their idle values.

import fc from 'fast-check';
import { gaugeIn } from '../../bench/poll.ts';
import { startGateway } from '../../test/support/gateway.ts';
import { weighted } from './arbitraries.ts';
import { converse, type Departure } from './conversation.ts';
import { startFuzzDirectory } from './directory.ts';
import { seedOf } from './directory-responses.ts';
import { HASTY_LIMITS, hastyEnvironment } from './fuzzed-gateway.ts';
import { oneRequest } from './requests.ts';

/** The idle value of each gauge: the sum over its labels when no request is running. */
const IDLE_VALUES: Readonly<Record<string, number>> = {
  doi_gateway_reserved_bytes: 0,
  // The request that reads the metrics.
  doi_gateway_http_requests_in_flight: 1,
};

/**
 * Returns the gauges that are not at their idle value; `[]` if all gauges are. Reports a missing gauge too, because its
 * value is unknown.
 */
export function heldIn(metrics: string): string[] {
  return Object.entries(IDLE_VALUES).flatMap(([name, idleValue]) => {
    const sum = gaugeIn(metrics, name);
    return sum !== null && sum >= 0 && sum <= idleValue ? [] : [`${name} ${sum ?? 'missing'}`];
  });
}

interface WalkOptions {
  readonly seed: number;
  readonly count: number;
  /** variables to add to the environment of the fuzzer's gateways */
  readonly environment?: Readonly<Record<string, string>>;
}

/** the number of clients, which each send one operation after the other */
const CLIENTS = 40;
const GENERATED_AT_ONCE = 100;

const departures: fc.Arbitrary<Departure | undefined> = weighted(
  [4, fc.constant(undefined)],
  [2, fc.nat(5_000).map((bytes): Departure => ({ after: 'sent', bytes }))],
  [2, fc.nat(3_000).map((bytes): Departure => ({ after: 'received', bytes }))],
  [2, fc.nat(400).map((ms): Departure => ({ after: 'time', ms }))],
);
const steps = fc.tuple(oneRequest, departures);

/** Returns how many conversations ended in each way, and a function that reads the gateway's metrics over HTTP. */
export async function walk({ seed, count, environment = {} }: WalkOptions) {
  const directory = await startFuzzDirectory(seed);
  const gateway = await startGateway(
    { limits: HASTY_LIMITS },
    { ...hastyEnvironment(directory), ...environment },
  );
  const port = Number(new URL(gateway.url).port);
  const endings = new Map<string, number>();
  const queue = generate(seed, count);
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (const [request, departure] of queue) {
      const { ending } = await converse(port, request, departure);
      const how = departure === undefined ? ending : `client closed: ${departure.after}`;
      endings.set(how, (endings.get(how) ?? 0) + 1);
    }
  });
  await Promise.all(clients);
  return {
    readMetrics: async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text(),
    endings,
    async close(): Promise<void> {
      await gateway.close();
      await directory.close();
    },
  };
}

/** Generates a hundred operations at a time: ten thousand would need hundreds of megabytes. */
function* generate(seed: number, count: number) {
  for (let made = 0; made < count; made += GENERATED_AT_ONCE) {
    const numRuns = Math.min(GENERATED_AT_ONCE, count - made);
    yield* fc.sample(steps, { seed: seedOf(seed, made), numRuns });
  }
}
