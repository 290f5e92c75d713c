// Fills what a gateway keeps in memory: the answers of its directory, JSON of objects that come again, documents.

import { graphqlBytes } from '../http-bytes.ts';
import { names } from '../peers/data.mjs';
import { exchange } from './exchange.ts';
import { list } from './requests.ts';

const LIMIT_MS = 60_000;
/** Records of 24 kB: more than CACHE_MAX_BYTES by default. */
const FILLERS = 12_000;
const AT_ONCE = 1_000;
const SHORT = 100;
const DOCUMENTS = 40;

const dois = (n: readonly string[], fields: string): Buffer =>
  graphqlBytes({ query: `query($n:[String!]!){dois(inputs:$n){${fields}}}`, variables: { n } });

export async function fillCaches(port: number, gateway: string): Promise<void> {
  const send = async (bytes: Buffer): Promise<void> => {
    const { status } = await exchange(port, bytes, {}, LIMIT_MS);
    if (status !== 200) throw new Error(`caches cannot be filled: status ${status}`);
  };
  if (gateway === 'live') {
    for (let at = 0; at < FILLERS; at += AT_ONCE) {
      const some = list(AT_ONCE, (n) => `10.5555/filler-${at + n}`);
      // The second time they are decoded from the memory that the first has filled.
      for (let time = 0; time < 2; time += 1) await send(dois(some, 'record{values{type}}'));
    }
  }
  // The first request brings the records into memory, the second remembers the JSON of the objects.
  for (let at = 0; at < names.length; at += SHORT) {
    const some = names.slice(at, at + SHORT);
    for (let time = 0; time < 2; time += 1) await send(dois(some, 'name url html record{values{type text}}'));
  }
  for (let n = 0; n < DOCUMENTS; n += 1) {
    await send(graphqlBytes({ query: `{${list(300, (m) => `a${n}_${m}:doiDirectory{kind}`).join(' ')}}` }));
  }
}
