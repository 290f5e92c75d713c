// The decisions of content negotiation, directly and through a second gateway.

import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { rawRequest } from '../../support/raw-http.ts';
import { testTable } from '../../support/test-table.ts';
import { startChain, type VectorRequest } from './chain.ts';

interface Row {
  readonly request: VectorRequest;
  readonly response: {
    readonly status: number;
    readonly location: string | null;
    /** null: it does not matter */
    readonly varyAccept: boolean | null;
  };
}

const file = new URL('../../fixtures/vectors/negotiation.json', import.meta.url);
const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[];

describe.each(startChain('negotiation-directory.jsonl'))(
  '%s redirects like the reference proxy',
  (_, gateway) => {
    testTable(rows)('row by row', async ({ request, response }) => {
      const { status, headers } = await rawRequest(gateway().url, request.target, request);
      expect([status, headers['location'] ?? null]).toEqual([response.status, response.location]);
      if (response.varyAccept !== null) {
        expect(/\baccept\b/i.test(String(headers['vary'] ?? ''))).toBe(response.varyAccept);
      }
    });
  },
);
