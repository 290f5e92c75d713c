// A list of references without DOIs, one for each outcome of a search, and the works that a fake search finds.

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

/** One article, deposited twice. */
export const TWINS = ['10.5555/ferries', '10.5555/ferries-copy'].map((DOI) => ({
  ...PUMPS,
  DOI,
  title: ['Winter timetables of ferries on northern lakes'],
  author: [{ given: 'Nia', family: 'Oduya' }],
}));

export const LINES = `References
Berger A. Reliability of hydraulic pumps in alpine villages. Journal of Mountain Engineering. 2012;57:978-991.
Berger A. Reliability of hydraulic pumps in alpine villages. Journal of Mountain Engineering. 1999;57:978-991.
Oduya N. Winter timetables of ferries on northern lakes. Journal of Mountain Engineering. 2012;57:978-991.
Marsh P. A history of bells in coastal towns. Harbour Press; 1977.`;
