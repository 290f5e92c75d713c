// Files for browsers, under an address that changes with their content.

import type { Answer, Handler } from '../exchange.ts';
import { createCompressed } from './compressed.ts';

export interface StaticFile {
  /** its Content-Type */
  readonly type: string;
  text(): Promise<string>;
}

/** The types of what the gateway serves, by the ending of a file's name. */
export const STATIC_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Answers for every path below `folder`, which ends with a slash and changes whenever a file does: browsers
 * keep the files for good.
 */
export function createStaticFiles(folder: string, files: ReadonlyMap<string, StaticFile>): Handler {
  const compressed = createCompressed();

  return async (request) => {
    const { method, path } = request;
    const name = path.startsWith(folder) ? path.slice(folder.length) : '';
    const file = files.get(name);
    if (!file) return refusal(404, 'No such file.\n');
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'GET or HEAD.\n', { Allow: 'GET, HEAD' });
    const { headers, body } = await compressed(name, () => file.text(), request);
    return {
      status: 200,
      headers: {
        'Content-Type': file.type,
        ...headers,
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
        ...closed,
      },
      body,
    };
  };
}

// A worker is ruled by the policy of its own script, not by the page's: this one lets it load nothing.
const closed = { 'Content-Security-Policy': "default-src 'none'" };

function refusal(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers: { ...type, ...closed, ...headers }, body };
}
