// Pages for people: plain, readable, and with nothing in them that runs.

import { createHash } from 'node:crypto';
import { escapeMarkup } from '../../doi/markup.ts';
import { failureHeaders } from '../caching.ts';
import type { Answer } from '../exchange.ts';
import { HTML_TYPE, type RestHeaders, restAnswer } from './rest-answer.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding-bottom: .5rem; }
th, td { border-top: 1px solid #8886; padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top; }
td:last-child { overflow-wrap: anywhere; white-space: pre-wrap; }
code { overflow-wrap: anywhere; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** @param body markup, everything in it that came from elsewhere escaped */
export function page(status: number, title: string, body: string, headers: RestHeaders): Answer {
  const escaped = escapeMarkup(title);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped}</h1>
${body}
</main>
</body>
</html>
`;
  return restAnswer(status, HTML_TYPE, { ...headers, 'Referrer-Policy': 'no-referrer' }, html, POLICY);
}

/** For programs and people alike, where there is nothing to show. */
export function plain(status: number, text: string, headers: RestHeaders = {}): Answer {
  return restAnswer(
    status,
    'text/plain; charset=utf-8',
    { ...failureHeaders(status), ...headers },
    `${text}\n`,
  );
}
