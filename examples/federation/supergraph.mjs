// The supergraph, composed from the SDL of the subgraphs. `npm run supergraph` writes it to supergraph.graphql.
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { CATALOG_PORT, DOI_GATEWAY_PORT, REVIEWS_PORT, urlAt } from './ports.mjs';

const FILES = { doi: '../../schema.graphql', catalog: 'catalog.graphql', reviews: 'reviews.graphql' };

/** Where ports.mjs has the subgraphs. */
const URLS = {
  doi: urlAt(DOI_GATEWAY_PORT),
  catalog: urlAt(CATALOG_PORT),
  reviews: urlAt(REVIEWS_PORT),
};

export function composeSupergraph(urls = URLS) {
  const subgraphs = Object.entries(FILES).map(([name, file]) => {
    const typeDefs = parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
    return { name, url: urls[name], typeDefs };
  });
  const { supergraphSdl, errors = [] } = composeServices(subgraphs);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

if (argv[1] === fileURLToPath(import.meta.url)) console.log(composeSupergraph());
