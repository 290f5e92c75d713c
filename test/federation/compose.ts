// Supergraphs of our subgraph and other subgraphs, composed as a schema registry does it.

import { readFileSync } from 'node:fs';
import {
  type CompositionResult,
  composeServices,
  type ServiceDefinition,
} from '@theguild/federation-composition';
import { parse } from 'graphql';

const file = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The files in subgraphs/. */
export type Other =
  | 'agency-contacts'
  | 'catalog-by-id'
  | 'catalog-by-name'
  | 'catalog-by-ref'
  | 'everyday-names'
  | 'federation-1'
  | 'own-scalars'
  | 'reviews'
  | 'shared-fields';

/** Sets of other subgraphs, by their meaning. Apollo's composer gets the same sets. */
export const SETS = JSON.parse(file('sets.json')) as Readonly<Record<string, readonly Other[]>>;

export const sdlOf = (name: Other | 'doi'): string =>
  file(name === 'doi' ? '../../schema.graphql' : `subgraphs/${name}.graphql`);

/** The address of a subgraph. */
export const urlOf = (name: string): string => `http://${name}.test/graphql`;

/** Our subgraph, as schema.graphql has it, and some other subgraphs. */
export function subgraphs(others: readonly Other[], at = urlOf): readonly ServiceDefinition[] {
  const names = ['doi', ...others] as const;
  return names.map((name) => ({ name, url: at(name), typeDefs: parse(sdlOf(name)) }));
}

export function compose(others: readonly Other[], ...more: readonly ServiceDefinition[]): CompositionResult {
  return composeServices([...subgraphs(others), ...more]);
}

/** The SDL of the supergraph. Throws if the subgraphs do not compose. */
export function supergraphOf(others: readonly Other[], at = urlOf): string {
  const { supergraphSdl, errors } = composeServices([...subgraphs(others, at)]);
  if (supergraphSdl === undefined) throw new Error(errors?.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}
