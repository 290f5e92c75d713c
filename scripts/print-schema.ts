// Prints the schema, sorted, for schema.graphql: `npm run --silent schema > schema.graphql`.

import { schema } from '../src/schema/index.ts';
import { printSubgraph } from '../src/schema/print.ts';

process.stdout.write(printSubgraph(schema));
