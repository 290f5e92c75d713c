// A gateway and the fake searches of both agencies. Each search knows one work.

import type { AgencyApisOptions } from '../../support/agencies/agency-apis.ts';
import type { GraphqlResult } from '../../support/gateway.ts';
import { CONTACT, startAgencyGateway } from './agency-gateway.ts';

const QUERY = `query ($references: [String!]!) { matchReferences(references: $references) {
  reference outcome doi { name } evidence { detail verdict inReference inWork }
  candidates { doi { name } } sources } }`;

interface Matched {
  readonly reference: string;
  readonly outcome: string;
  readonly doi: { readonly name: string } | null;
  readonly evidence: readonly { detail: string; verdict: string; inReference: string | null }[];
  readonly candidates: readonly { doi: { name: string } }[];
  readonly sources: readonly string[];
}
type Matches = GraphqlResult<{ readonly matchReferences: readonly (Matched | null)[] }>;

export const PUMPS = {
  DOI: '10.5555/pumps',
  type: 'journal-article',
  title: ['Reliability of hydraulic pumps in alpine villages'],
  'container-title': ['Journal of Mountain Engineering'],
  issued: { 'date-parts': [[2012]] },
  author: [{ given: 'Ada', family: 'Berger' }],
  volume: '57',
  page: '978-991',
};
export const REFERENCE =
  'Berger A. Reliability of hydraulic pumps in alpine villages. Journal of Mountain Engineering. 2012;57:978-991.';
const DATASET = {
  id: '10.5072/snow',
  attributes: {
    doi: '10.5072/snow',
    titles: [{ title: 'Snow depth at forty stations in the eastern Alps' }],
    creators: [{ name: 'Oduya, Nia', givenName: 'Nia', familyName: 'Oduya' }],
    publicationYear: 2019,
    publisher: { name: 'Zenodo' },
    types: { resourceTypeGeneral: 'Dataset' },
    state: 'findable',
  },
  relationships: { client: { data: { id: 'cern.zenodo' } } },
};
export const DATASET_REFERENCE =
  'Oduya, N. (2019). Snow depth at forty stations in the eastern Alps [Data set]. Zenodo.';
export const UNKNOWN = 'Marsh P. A history of ferries on the northern lakes. Harbour Press; 1977.';

export async function startReferenceSearch(
  options: Partial<AgencyApisOptions> = {},
  env: Readonly<Record<string, string>> = CONTACT,
) {
  const searched = { crossref: [PUMPS], datacite: [DATASET] };
  const { apis, gateway, time } = await startAgencyGateway(options.works ?? [], env, {
    searched,
    ...options,
  });
  const match = (...references: readonly string[]): Promise<Matches> =>
    time.drive(gateway.query(QUERY, { references }));
  const searches = () => apis.calls.filter(({ words }) => words !== undefined).map(({ api }) => api);
  return { apis, gateway, time, match, searches };
}
