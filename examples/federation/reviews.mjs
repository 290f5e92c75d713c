// Reviews by somebody else, who has never heard of the catalog.
import { listen } from './listen.mjs';
import { REVIEWS_PORT } from './ports.mjs';
import { createSubgraph } from './subgraph.mjs';

const REVIEWS = new Map([
  ['10.1000/182', [{ stars: 5, text: 'It is all in there.' }]],
  [
    '10.5438/bc11-cqw1',
    [
      { stars: 4, text: 'Clear.' },
      { stars: 3, text: 'I wanted a table.' },
    ],
  ],
]);

const reviews = createSubgraph('reviews.graphql', {
  DOI: { reviews: ({ canonicalName }) => REVIEWS.get(canonicalName) ?? [] },
});

listen(reviews, REVIEWS_PORT);
