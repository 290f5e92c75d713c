import { createRequire } from 'node:module';

const { name, version, description } = createRequire(import.meta.url)('../../../package.json') as Readonly<
  Record<'name' | 'version' | 'description', string>
>;

/**
 * What is where, for programs that ask for the bare address.
 * @param base where links begin; empty for relative ones
 * @param hasMetrics false where `/metrics` has an address of its own
 */
export function serviceIndex(base: string, hasMetrics: boolean): string {
  const at = (path: string) => base + path;
  const index = {
    name,
    version,
    description,
    graphql: at('/graphql'),
    schema: at('/schema.graphql'),
    graphiql: at('/graphql'),
    inspector: at('/?doi={doi}'),
    rest: {
      record: at('/api/handles/{name}'),
      agencies: at('/doiRA/{names}'),
      redirect: at('/{name}'),
      openapi: at('/openapi.json'),
    },
    mcp: at('/mcp'),
    llms: at('/llms.txt'),
    health: {
      alive: at('/healthz'),
      ready: at('/readyz'),
      ...(hasMetrics && { metrics: at('/metrics') }),
    },
    documentation:
      'The schema describes itself: ask it by introspection, or open "graphiql" in a browser. For people who have one DOI there is "inspector".',
  };
  return `${JSON.stringify(index, null, 2)}\n`;
}
