// The same 10,000 records for every server, and the query that asks for them.

const HANDLE_ADMIN = { handle: '0.na/10.1177', index: 200, permissions: '111111110010' };
const TIMES = { ttl: 86400, timestamp: '2020-07-29T04:52:30Z' };

export const NAME_START = '10.1177/00207209';
export const FIRST_NAME = 20_000_000;
export const names = Array.from({ length: 10_000 }, (_, i) => `${NAME_START}${FIRST_NAME + i}`);

/** As the DOI proxy's REST API has them. */
export function handleValues(name) {
  const url = `https://publisher.example/article/${name}`;
  return [
    { index: 1, type: 'URL', data: { format: 'string', value: url }, ...TIMES },
    { index: 700050, type: '700050', data: { format: 'string', value: '2020072821515400292' }, ...TIMES },
    { index: 100, type: 'HS_ADMIN', data: { format: 'admin', value: HANDLE_ADMIN }, ...TIMES },
  ];
}

/** What a GraphQL server answers for a name, without the names of types. */
export function answerFor(name) {
  const values = handleValues(name).map(({ data, ...value }) => ({
    ...value,
    data: data.format === 'string' ? data : { format: 'admin', ...data.value },
  }));
  return {
    name,
    uri: `doi:${name}`,
    url: `https://doi.org/${name}`,
    record: { responseCode: 1, handle: name, values },
    registrationAgency: { name: 'Crossref' },
  };
}

export const records = new Map(names.map((name) => [name, answerFor(name)]));

/** JSON Lines for DOI_DIRECTORY_FILE. */
export const directoryFile = () =>
  names.map((handle) => `${JSON.stringify({ handle, values: handleValues(handle) })}\n`).join('');

/** JSON for DOI_AGENCIES_FILE. */
export const agenciesFile = () => JSON.stringify({ 10.1177: 'Crossref' });

export const query =
  'query Q($n:[String!]!){dois(inputs:$n){name uri url record{responseCode handle values{index type ttl timestamp data{format ... on HandleStringData{value} ... on HandleAdminData{handle index permissions}}}} registrationAgency{name}}}';
