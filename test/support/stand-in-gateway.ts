import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { useGraphiql } from '../../src/server/graphiql.ts';

// Until the gateway's own schema is there: as much of the contract as the example tabs ask for.
const typeDefs = /* GraphQL */ `
  type Query {
    doi(input: String!): DOI
    dois(inputs: [String!]!): [DOI]!
    doiEquivalence(a: String!, b: String!): DOIEquivalence!
    doiEquivalenceClasses(inputs: [String!]!): DOIEquivalenceClasses!
  }
  enum URLEncoding { MANDATORY RECOMMENDED }
  type DOI {
    name: String! canonicalName: String! prefix: String! suffix: String! display: String! uri: String!
    url(encoding: URLEncoding = RECOMMENDED): String!
    dxUrl: String! urn: String! urnUrl: String! infoUri: String! handleUri: String! apiUrl: String!
    whichRaUrl: String! webForm: String! html: String! markdown: String! utf8Hex: String!
    exists: Boolean record: HandleRecord registrationAgency: RegistrationAgency whichRa: WhichRA
  }
  type HandleRecord { values(types: [String!]): [HandleValue!]! }
  type HandleValue { text: String }
  type RegistrationAgency { name: String! title: String homepageUrl: String }
  type WhichRA { status: String! agency: RegistrationAgency message: String }
  type DOIEquivalence { equivalent: Boolean relation: String! explanation: String! }
  type DOIEquivalenceClasses { classes: [DOIEquivalenceClass!]! unreadable: [UnreadableDOI!]! }
  type DOIEquivalenceClass { doi: DOI! members: [DOIEquivalenceClassMember!]! }
  type DOIEquivalenceClassMember { index: Int! input: String! }
  type UnreadableDOI { index: Int! input: String! problem: DOIProblem! }
  type DOIProblem { code: String! message: String! }
`;

const example = {
  name: '10.1000/456#789',
  canonicalName: '10.1000/456#789',
  prefix: '10.1000',
  suffix: '456#789',
  display: 'doi:10.1000/456#789',
  uri: 'doi:10.1000/456%23789',
  url: 'https://doi.org/10.1000/456%23789',
  dxUrl: 'http://dx.doi.org/10.1000/456%23789',
  urn: 'urn:doi:10.1000:456%23789',
  urnUrl: 'https://doi.org/urn:doi:10.1000:456%23789',
  infoUri: 'info:doi/10.1000/456%23789',
  handleUri: 'hdl:10.1000/456%23789',
  apiUrl: 'https://doi.org/api/handles/10.1000/456%23789',
  whichRaUrl: 'https://doi.org/doiRA/10.1000/456%23789',
  webForm: '10.1000/456#789',
  html: '<a href="https://doi.org/10.1000/456%23789">https://doi.org/10.1000/456%23789</a>',
  markdown: '[doi:10\\.1000\\/456\\#789](https://doi.org/10.1000/456%23789)',
  utf8Hex: '31 30 2E 31 30 30 30 2F 34 35 36 23 37 38 39',
};

export const createStandIn = () =>
  createYoga({
    schema: createSchema({ typeDefs, resolvers: { Query: { doi: () => example } } }),
    graphiql: false,
    landingPage: false,
    logging: false,
    plugins: [useGraphiql({ endpoint: '/graphql' })],
  });

/** On a free port of this machine. */
export async function startGateway(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(createStandIn());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
