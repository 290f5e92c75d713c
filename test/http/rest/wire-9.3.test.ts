// The REST face against the answers of the reference proxy 9.3.1, directly and through a second gateway.

import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { rawRequest } from '../../support/raw-http.ts';
import { testTable } from '../../support/test-table.ts';
import { startChain, type VectorRequest } from './chain.ts';

interface Row {
  readonly name: string;
  readonly request: VectorRequest;
  readonly response: {
    readonly status: number;
    readonly location: string | null;
    /** null: it does not matter */
    readonly contentType: string | null;
    /** null: it does not matter */
    readonly body: string | null;
  };
}

const file = new URL('../../fixtures/vectors/wire-9.3.json', import.meta.url);
const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[];

describe.each(startChain('wire-9.3-directory.jsonl'))(
  '%s answers like the reference proxy 9.3.1',
  (_, gateway) => {
    testTable(rows)('row by row', async ({ request, response }) => {
      const { status, headers, body } = await rawRequest(gateway().url, request.target, request);
      const { location, contentType } = response;
      expect([status, headers['location'] ?? null]).toEqual([response.status, location]);
      if (contentType !== null) expect(headers['content-type']).toBe(contentType);
      if (response.body !== null) expect(body).toBe(response.body);
    });
  },
);
