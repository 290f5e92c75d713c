// The REST face against one reference proxy's answers, directly and through a second gateway.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { rawRequest } from '../../support/raw-http.ts';
import { testTable } from '../../support/test-table.ts';
import { startChain, type VectorRequest } from './chain.ts';

interface Row {
  readonly name: string;
  readonly request: VectorRequest;
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string | null;
    readonly responseCode?: number;
  };
}

const file = fileURLToPath(new URL('../../fixtures/vectors/wire.json', import.meta.url));
const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[];

describe.each(startChain())('%s answers like the reference proxy', (_, gateway) => {
  testTable(rows)('row by row', async ({ request, response }) => {
    const answer = await rawRequest(gateway().url, request.target, request);
    expect(answer.status).toBe(response.status);
    for (const [header, value] of Object.entries(response.headers)) {
      expect(answer.headers[header]).toBe(value.replace(/^http:\/\/doi\.org\//, '/'));
    }
    if (response.body !== null) expect(answer.body).toBe(response.body);
    if (response.responseCode !== undefined) {
      expect(JSON.parse(answer.body)).toMatchObject({ responseCode: response.responseCode });
    }
  });
});
