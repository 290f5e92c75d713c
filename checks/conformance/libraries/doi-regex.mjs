// README: `doiRegex({ exact: true })` says whether a text "is a DOI address", `declared` also takes `doi:` before it,
// `resolvePath` a URL, and `doiRegex()` finds DOIs in a text.

import doiRegex from 'doi-regex';
import { parseOf, serve } from './serve.mjs';

const exact = [
  doiRegex({ exact: true }),
  doiRegex.declared({ exact: true }),
  doiRegex.resolvePath({ protocol: true }),
];

await serve({
  parse: parseOf({
    notations: ['name', 'doi', 'url'],
    read: (text) =>
      exact.map((expression) => expression.exec(text)?.at(-1)).find((name) => name !== undefined),
    readName: (text) => (exact[0].test(text) ? text : null),
  }),
  find: ({ text }) => ({ names: text.match(doiRegex()) ?? [] }),
});
