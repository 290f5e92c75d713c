// Prints the schema, sorted, for schema.graphql: `npm run --silent schema > schema.graphql`.

import { printSubgraph } from '../src/schema/federation/subgraph.ts';
import { schema } from '../src/schema/index.ts';

process.stdout.write(printSubgraph(schema));
