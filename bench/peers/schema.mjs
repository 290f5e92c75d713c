// The part of the gateway's schema that the query needs, for the peers that execute GraphQL. Each request gets a new loader
// for records and a new loader for agencies, as is usual for such servers.

import DataLoader from 'dataloader';
import { records } from './data.mjs';

export const typeDefs = `
  interface HandleData { format: String! }
  type HandleStringData implements HandleData { format: String! value: String! }
  type HandleAdminData implements HandleData { format: String! handle: String! index: Int! permissions: String! }
  type HandleValue { index: Int! type: String! ttl: Int timestamp: String data: HandleData! }
  type HandleRecord { responseCode: Int! handle: String! values: [HandleValue!]! }
  type RegistrationAgency { name: String! }
  type DOI { name: String! uri: String! url: String! record: HandleRecord registrationAgency: RegistrationAgency }
  type Query { dois(inputs: [String!]!): [DOI]! }
`;

const resolveType = (data) => (data.format === 'string' ? 'HandleStringData' : 'HandleAdminData');

const fields = {
  Query: { dois: (_, { inputs }) => inputs.map((name) => ({ name })) },
  DOI: {
    uri: ({ name }) => records.get(name).uri,
    url: ({ name }) => records.get(name).url,
    record: ({ name }, _, context) => context.records.load(name),
    registrationAgency: ({ name }, _, context) => context.agencies.load(name),
  },
};

export const resolvers = { ...fields, HandleData: { __resolveType: resolveType } };

/** Mercurius uses another name for the function that returns a type. */
export const mercuriusResolvers = { ...fields, HandleData: { resolveType } };

export const createContext = () => ({
  records: new DataLoader(async (keys) => keys.map((name) => records.get(name).record)),
  agencies: new DataLoader(async (keys) => keys.map((name) => records.get(name).registrationAgency)),
});
