// README: `--duplicates doi` warns of entries with the "same DOIs". The field `doi` holds a name.

import { createRequire } from 'node:module';
import { serve } from './serve.mjs';

const { tidy } = createRequire(import.meta.url)('bibtex-tidy');

await serve({
  equivalence: ({ a, b }) => {
    if (![a, b].every((text) => text.startsWith('10.'))) return undefined;
    const { warnings } = tidy(`@misc{a, doi = {${a}}}\n@misc{b, doi = {${b}}}\n`, { duplicates: ['doi'] });
    return { equivalent: warnings.some(({ code }) => code === 'DUPLICATE_ENTRY') };
  },
});
