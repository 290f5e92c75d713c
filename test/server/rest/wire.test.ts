// The REST face against one reference proxy's answers, directly and through a second gateway.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { rawRequest } from '../../support/raw-http.ts';

interface Row {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Record<string, string>;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string | null;
    readonly responseCode?: number;
  };
}

const fixture = (path: string) => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
const rows = JSON.parse(readFileSync(fixture('vectors/wire.json'), 'utf8')) as Row[];

let first: ListeningGateway;
let second: ListeningGateway;

beforeAll(async () => {
  first = await startGateway({}, { DOI_DIRECTORY_FILE: fixture('wire-directory.jsonl') });
  second = await startGateway({}, { DOI_DIRECTORY_URL: first.url });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

describe.each([
  ['a gateway on the reference records', () => first],
  ['a gateway whose directory is that gateway', () => second],
])('%s answers like the reference proxy', (_, gateway) => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, { request, response }) => {
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
