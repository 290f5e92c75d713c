// What names are: the same title, people, year and updates for every server, made from the name.

/** A work, as Crossref's API writes it. Every tenth is retracted. */
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

/** What a GraphQL server answers for a name. */
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
