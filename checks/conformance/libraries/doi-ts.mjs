// Documentation: `parse` reads a name, `doi:` and a URL; `isDoi` takes the name; `toUrl` returns a URL; `Eq` compares.

import { Eq, isDoi, parse, toUrl } from 'doi-ts';
import { encodeOf, parseOf, serve } from './serve.mjs';

const read = (text) => {
  const parsed = parse(text);
  return parsed._tag === 'Some' ? parsed.value : null;
};

await serve({
  parse: parseOf({
    notations: ['name', 'doi', 'url'],
    read,
    readName: (text) => (isDoi(text) ? text : null),
  }),
  encode: encodeOf((name) => (isDoi(name) ? toUrl(name).href : null)),
  equivalence: ({ a, b }) => {
    const [first, second] = [read(a), read(b)];
    return { equivalent: first === null || second === null ? null : Eq.equals(first, second) };
  },
});
