// Composes schema.graphql with the subgraphs of test/federation, as Apollo's tools do it.
import { readFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** What is composed: by a name, the files in test/federation/subgraphs. */
export const SETS = JSON.parse(read('../federation/sets.json'));

export function sdlOf(name) {
  return read(name === 'doi' ? '../../schema.graphql' : `../federation/subgraphs/${name}.graphql`);
}

/** Throws where there is an error, or a hint at something that two subgraphs have in two ways. */
export function compose(others) {
  const { supergraphSdl, errors, hints } = composeServices(
    ['doi', ...others].map((name) => ({ name, url: `http://${name}.test/`, typeDefs: parse(sdlOf(name)) })),
  );
  const complaints = [
    ...(errors ?? []).map(({ message }) => message),
    ...(hints ?? []).map(({ definition, message }) => `${definition.code}: ${message}`),
  ];
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  return supergraphSdl;
}
