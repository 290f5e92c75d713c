// Two gateways in a row: whatever the first one answers the second one has to answer too.

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';

/** The request of a row of vectors. */
export interface VectorRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
}

/**
 * For `describe.each`: a gateway on the reference records, and one whose directory is that gateway.
 * @param records in test/fixtures
 */
export function startChain(
  records = 'wire-directory.jsonl',
): readonly (readonly [name: string, gateway: () => ListeningGateway])[] {
  const file = fileURLToPath(new URL(`../../fixtures/${records}`, import.meta.url));
  let first: ListeningGateway;
  let second: ListeningGateway;
  beforeAll(async () => {
    first = await startGateway({}, { DOI_DIRECTORY_FILE: file, METADATA: 'no' });
    second = await startGateway({}, { DOI_DIRECTORY_URL: first.url, METADATA: 'no' });
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });
  return [
    ['a gateway on the reference records', () => first],
    ['a gateway whose directory is that gateway', () => second],
  ];
}
