// Prints the schema, sorted, for schema.graphql: `npm run --silent schema > schema.graphql`. With `-- --costs`: in
// Federation 2.9, with `@cost` and `@listSize`.

import { withCosts } from '../src/schema/federation/costs.ts';
import { printSubgraph } from '../src/schema/federation/subgraph.ts';
import { schema } from '../src/schema/index.ts';

process.stdout.write(printSubgraph(process.argv.includes('--costs') ? withCosts(schema) : schema));
