// Composes schema.graphql with subgraphs of test/federation, as Apollo's tools do it. As a command it composes all sets
// of test/federation/sets.json, and prints what is wrong with each: `node compose.mjs [SDL OF OUR SUBGRAPH]`.
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

const SCHEMA = '../../../schema.graphql';

/** `urls` has a URL for each subgraph by its name; ours is `doi`. Hints are complaints too: two subgraphs that differ. */
function compose(urls, schema = SCHEMA) {
  const sdlOf = (name) => read(name === 'doi' ? schema : `../../federation/subgraphs/${name}.graphql`);
  const { supergraphSdl, errors, hints } = composeServices(
    Object.entries(urls).map(([name, url]) => ({ name, url, typeDefs: parse(sdlOf(name)) })),
  );
  const complaints = [
    ...(errors ?? []).map(({ message }) => message),
    ...(hints ?? []).map(({ definition, message }) => `${definition.code}: ${message}`),
  ];
  return { supergraphSdl, complaints };
}

/** Throws if the subgraphs do not compose, or only with a hint. */
export function composeSupergraph(urls) {
  const { supergraphSdl, complaints } = compose(urls);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  return supergraphSdl;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const sets = Object.entries(JSON.parse(read('../../federation/sets.json')));
  const found = sets.map(([what, others]) => {
    const urls = Object.fromEntries(['doi', ...others].map((name) => [name, `http://${name}.test/`]));
    return [what, compose(urls, argv[2]).complaints];
  });
  console.log(JSON.stringify(Object.fromEntries(found)));
}
