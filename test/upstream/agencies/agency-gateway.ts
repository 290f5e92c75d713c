// A gateway and the fake APIs of the agencies. Their clock advances only while both wait.

import { onTestFinished } from 'vitest';
import type { UpdateOutcome } from '../../../src/works/retractions-and-updates.ts';
import { type AgencyApisOptions, startAgencyApis } from '../../support/agencies/agency-apis.ts';
import type { AgencyWork } from '../../support/agencies/agency-works.ts';
import { createDrivenTime } from '../../support/agencies/driven-time.ts';
import { createTestGateway, type GraphqlResult } from '../../support/gateway.ts';

export const CONTACT = { CONTACT: 'operator@example.org' };
export const LATENCY_MS = 100;

interface Described {
  readonly name: string;
  readonly metadata: { readonly title: string } | null;
  readonly updates: { readonly outcome: UpdateOutcome } | null;
}

export type Titles = GraphqlResult<{ readonly dois: readonly Described[] }>;

const QUERY = `query ($names: [String!]!) {
  dois(inputs: $names, form: NAME) { name metadata { title } updates { outcome } } }`;

export async function startAgencyGateway(
  works: readonly AgencyWork[],
  env: Readonly<Record<string, string>> = {},
  options: Partial<AgencyApisOptions> = {},
) {
  const time = createDrivenTime(() => apis.held);
  const apis = await startAgencyApis({ works, time, latencyMs: LATENCY_MS, ...options });
  const gateway = await createTestGateway({ time }, { ...apis.env, ...env });
  onTestFinished(async () => {
    await gateway.close();
    await apis.close();
    time.close();
  });
  /** Looks up the works in one operation. The caller must advance the clock. */
  const startLookUp = (selected: readonly AgencyWork[]): Promise<Titles> =>
    gateway.query(QUERY, { names: selected.map(({ name }) => name) });
  return {
    apis,
    time,
    gateway,
    startLookUp,
    /** Looks up the works in one operation, and advances the clock until it ends. */
    lookUp: (selected: readonly AgencyWork[]): Promise<Titles> => time.drive(startLookUp(selected)),
  };
}

/**
 * Compares the titles with the works. `wrong`: values that are missing without an error or belong to another name.
 * `failed`: the works with an error.
 */
export function faultsIn({ data, errors = [] }: Titles, works: readonly AgencyWork[]) {
  const failures = new Map(errors.map((error) => [error.path?.slice(0, 3).join('.'), error]));
  const wrong: string[] = [];
  const failed: AgencyWork[] = [];
  for (const [at, work] of works.entries()) {
    const got = data.dois[at];
    const fields = [
      ['metadata', got?.metadata?.title ?? null, work.title],
      ['updates', got?.updates?.outcome ?? null, work.outcome],
    ] as const;
    let hasFailed = false;
    for (const [field, value, expected] of fields) {
      if (value === null && failures.has(`dois.${at}.${field}`)) hasFailed = true;
      else if (value !== expected) wrong.push(`${work.name} ${field}: ${value}, not ${expected}`);
    }
    if (hasFailed) failed.push(work);
  }
  return { wrong, failed, failures: [...failures.values()] };
}
