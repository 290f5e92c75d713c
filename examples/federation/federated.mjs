// The gateway that clients ask. The supergraph tells it what each subgraph knows, and where it is.
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { createYoga } from 'graphql-yoga';

export function createFederatedGateway(supergraphSdl) {
  return createYoga({ schema: getStitchedSchemaFromSupergraphSdl({ supergraphSdl }), logging: false });
}
