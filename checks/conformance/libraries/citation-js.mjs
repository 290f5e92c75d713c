// README: the plugin reads DOI names (`@doi/id`) and DOI URLs (`@doi/api`). The name of a URL is its decoded path, as
// the plugin requests the URL unchanged.

import { createRequire } from 'node:module';
import { parseOf, serve } from './serve.mjs';

const require = createRequire(import.meta.url);
const { plugins } = require('@citation-js/core');
require('@citation-js/plugin-doi');

const READERS = {
  '@doi/id': (text) => text.trim(),
  '@doi/api': (text) => decodeURIComponent(new URL(text.trim()).pathname.slice(1)),
};

await serve({
  parse: parseOf({ notations: ['name', 'url'], read: (text) => READERS[plugins.input.type(text)]?.(text) }),
});
