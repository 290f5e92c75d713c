// The DOI names of the benches, with their records and works. Every server has the same ones.

const HANDLE_ADMIN = { handle: '0.na/10.1177', index: 200, permissions: '111111110010' };
const TIMES = { ttl: 86400, timestamp: '2020-07-29T04:52:30Z' };

export const NAME_START = '10.1177/00207209';
export const FIRST_NAME = 20_000_000;
export const names = Array.from({ length: 10_000 }, (_, i) => `${NAME_START}${FIRST_NAME + i}`);

/** The values of a name's record, in the JSON of the DOI proxy's REST API. */
export function handleValues(name) {
  const url = `https://publisher.example/article/${name}`;
  return [
    { index: 1, type: 'URL', data: { format: 'string', value: url }, ...TIMES },
    { index: 700050, type: '700050', data: { format: 'string', value: '2020072821515400292' }, ...TIMES },
    { index: 100, type: 'HS_ADMIN', data: { format: 'admin', value: HANDLE_ADMIN }, ...TIMES },
  ];
}

/** The data of a GraphQL response for a name. */
export function dataFor(name) {
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

export const records = new Map(names.map((name) => [name, dataFor(name)]));

/** JSON Lines for DOI_DIRECTORY_FILE. */
export const directoryFile = () =>
  names.map((handle) => `${JSON.stringify({ handle, values: handleValues(handle) })}\n`).join('');

/** JSON for DOI_AGENCIES_FILE. */
export const agenciesFile = () => JSON.stringify({ 10.1177: 'Crossref' });

export const query =
  'query Q($n:[String!]!){dois(inputs:$n){name uri url record{responseCode handle values{index type ttl timestamp data{format ... on HandleStringData{value} ... on HandleAdminData{handle index permissions}}}} registrationAgency{name}}}';

// Works: title, people, year and updates, which depend only on the name.

/** A work in the JSON of Crossref's API. Every tenth work is retracted. */
export function workOfCrossref(name) {
  const updated = { 'date-parts': [[2021, 5, 6]] };
  const notice = { DOI: `${name}.n`, type: 'retraction', label: 'Retraction', source: 'publisher', updated };
  return {
    type: 'journal-article',
    DOI: name,
    title: [`On the measurement of ${name} in <i>vivo</i>`],
    author: [
      { given: 'Josiah', family: 'Carberry', ORCID: 'https://orcid.org/0000-0002-1825-0097' },
      { given: 'Ada', family: 'Lovelace' },
    ],
    issued: { 'date-parts': [[2020, 7, 29]] },
    'container-title': ['Journal of Psychoceramics'],
    publisher: 'Press',
    volume: '5',
    issue: '11',
    page: '1-3',
    URL: `https://doi.org/${name}`,
    ...(isRetracted(name) && { 'updated-by': [notice] }),
  };
}

const isRetracted = (name) => name.endsWith('0');

const RETRACTED = (name) => ({
  outcome: 'RETRACTED',
  notices: [{ kind: 'RETRACTION', date: { text: '2021-05-06' }, doi: { name: `${name}.n` } }],
});
const NONE_RECORDED = { outcome: 'NONE_RECORDED', notices: [] };

/** The data of a GraphQL response for a name with its work. */
export function workFor(name) {
  return {
    name,
    metadata: {
      title: `On the measurement of ${name} in vivo`,
      creators: [{ name: 'Josiah Carberry' }, { name: 'Ada Lovelace' }],
      issued: { text: '2020-07-29' },
    },
    updates: isRetracted(name) ? RETRACTED(name) : NONE_RECORDED,
  };
}

export const workQuery =
  'query W($n:[String!]!){dois(inputs:$n){name metadata{title creators{name}issued{text}}updates{outcome notices{kind date{text}doi{name}}}}}';
