// A catalog of works. Their DOIs are spelled as somebody once typed them.
import { listen } from './listen.mjs';
import { CATALOG_PORT } from './ports.mjs';
import { createSubgraph } from './subgraph.mjs';

const WORKS = [
  { id: '1', title: 'The DOI Handbook', doiAsGiven: 'https://doi.org/10.1000/182' },
  { id: '2', title: 'A film', doiAsGiven: 'doi:10.5240/b1fa-0eec-c316-3316-3a73-l' },
  { id: '3', title: 'Differences between ORCID and DataCite Metadata', doiAsGiven: '10.5438/BC11-CQW1' },
  { id: '4', title: 'Invented pottery never cracks', doiAsGiven: '10.5555/INVENTED.retracted' },
  { id: '5', title: 'A leaflet', doiAsGiven: null },
  { id: '6', title: 'A torn page', doiAsGiven: '10.1000/' },
];

const catalog = createSubgraph('catalog.graphql', {
  Query: { works: () => WORKS, work: (_root, { id }) => WORKS.find((work) => work.id === id) },
  Work: { doi: ({ doiAsGiven }) => (doiAsGiven === null ? null : { ref: doiAsGiven }) },
});

listen(catalog, CATALOG_PORT);
