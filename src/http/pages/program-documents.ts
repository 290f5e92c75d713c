// What programs read about the gateway: its schema, its REST face, and a text for language models.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Handler } from '../exchange.ts';
import { createCompressed } from './compressed.ts';
import { llmsText } from './llms-text.ts';
import { openApi } from './openapi.ts';

export interface ProgramDocumentsOptions {
  /** The gateway's own address as clients see it; null: links are relative. */
  readonly publicUrl: string | null;
  readonly version: string;
}

export type ProgramDocuments = Readonly<Record<'schema' | 'openApi' | 'llms', Handler>>;

/** The same as the code: a test holds it against that. */
const SCHEMA = new URL('../../../schema.graphql', import.meta.url);

const TEXT = 'text/plain; charset=utf-8';

export function createProgramDocuments({ publicUrl, version }: ProgramDocumentsOptions): ProgramDocuments {
  const base = publicUrl ?? '';
  return {
    schema: createDocument(TEXT, () => readFile(SCHEMA, 'utf8')),
    openApi: createDocument('application/json; charset=utf-8', async () => openApi(base, version)),
    llms: createDocument(TEXT, async () => llmsText(base)),
  };
}

/** Made when it is first asked for; it stays the same until the next start. */
function createDocument(type: string, make: () => Promise<string>): Handler {
  const compressed = createCompressed();
  let made: Promise<{ readonly text: string; readonly tag: string }> | undefined;

  return async (request) => {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') return REFUSAL;
    made ??= make().then((text) => ({ text, tag: tagOf(text) }));
    const { text, tag } = await made;
    const { headers, body } = await compressed('document', async () => text, request);
    return {
      status: 200,
      headers: { ...HEADERS, 'Content-Type': type, ETag: tag, ...headers },
      body,
    };
  };
}

const HEADERS = {
  'Cache-Control': 'public, max-age=300',
  Vary: 'Accept-Encoding',
  // They describe the gateway to programs that come by a link; a search has no use for them.
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': "default-src 'none'",
};

const REFUSAL = {
  status: 405,
  headers: { 'Content-Type': TEXT, 'Cache-Control': 'no-store', Allow: 'GET, HEAD, OPTIONS' },
  body: 'GET or HEAD.\n',
};

/** Weak: the same document in several encodings. */
function tagOf(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}
