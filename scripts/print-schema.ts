// Prints the schema, sorted, for schema.graphql: `npm run --silent schema > schema.graphql`.

import { printSortedSchema } from '../src/schema/print.ts';

process.stdout.write(printSortedSchema());
