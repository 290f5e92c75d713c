// What names are: the same title, people, year and citation for every server, made from the name.

/** CSL JSON, as an agency's service writes it. */
export function cslFor(name) {
  return {
    type: 'article-journal',
    DOI: name,
    title: `On the measurement of ${name} in <i>vivo</i>`,
    author: [
      { given: 'Josiah', family: 'Carberry', ORCID: 'https://orcid.org/0000-0002-1825-0097' },
      { given: 'Ada', family: 'Lovelace' },
    ],
    issued: { 'date-parts': [[2020, 7, 29]] },
    'container-title': 'Journal of Psychoceramics',
    publisher: 'Press',
    volume: '5',
    issue: '11',
    page: '1-3',
    URL: `https://doi.org/${name}`,
  };
}

export function citationFor(name) {
  return `Carberry, J., & Lovelace, A. (2020). On the measurement of ${name} in vivo. Journal of Psychoceramics, 5(11), 1–3. https://doi.org/${name}`;
}

/** What a GraphQL server answers for a name. */
export function workFor(name) {
  return {
    name,
    metadata: {
      title: `On the measurement of ${name} in vivo`,
      creators: [{ name: 'Josiah Carberry' }, { name: 'Ada Lovelace' }],
      issued: { text: '2020-07-29' },
    },
    citation: citationFor(name),
  };
}

export const workQuery =
  'query W($n:[String!]!){dois(inputs:$n){name metadata{title creators{name}issued{text}}citation}}';
