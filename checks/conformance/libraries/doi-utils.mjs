// README: `validate` takes a single DOI string, "tolerant of leading link or `doi:` strings"; `validatePart` takes the
// name; `buildUrl` "builds a URL to https://doi.org". It promises to extract DOIs, but no function does.

import { doi } from 'doi-utils';
import { encodeOf, parseOf, serve } from './serve.mjs';

await serve({
  parse: parseOf({
    notations: ['name', 'doi', 'url'],
    read: (text) => doi.normalize(text),
    readName: (text) => (doi.validatePart(text) ? text : null),
  }),
  encode: encodeOf((name) => doi.buildUrl(name)),
});
