import { FIFTY_NAMES } from './fifty-names.ts';
import {
  asTheyCome,
  everyForm,
  fiftyAtOnce,
  inText,
  prefixAndShort,
  sameName,
  suspicious,
  whatItIs,
  whichAgency,
} from './graphiql-documents.ts';

/** A tab as GraphiQL takes it; the operation's name becomes the tab's title. */
export interface GraphiqlTab {
  readonly query: string;
  readonly variables: string;
}

const tab = (query: string, variables: object): GraphiqlTab => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

/** The tabs of a first visit. They are part of the manual: tests run them against the schema. */
export const graphiqlExamples: readonly GraphiqlTab[] = [
  tab(everyForm, { input: '10.1000/456#789' }),
  tab(whatItIs, { input: '10.1371/journal.pone.0000030' }),
  tab(fiftyAtOnce, { inputs: FIFTY_NAMES }),
  tab(asTheyCome, { inputs: FIFTY_NAMES }),
  tab(sameName, {
    a: '10.1000/demo_DOI',
    b: 'https://doi.org/10.1000/DEMO_doi',
    list: [
      '10.1000/456#789',
      'https://doi.org/10.1000/456%23789',
      'urn:doi:10.1000:456%23789',
      '10.1000/456',
      '10.1000/456/',
      '10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03',
      '10.26321/á.gutiérrez.zarza.02.2018.03',
      '10.1000',
    ],
  }),
  tab(whichAgency, {
    inputs: [
      '10.1021/jacs.5c01100',
      '10.5438/bc11-cqw1',
      '10.5240/7481-838B-59CA-63D0-B9A8-E',
      '10.2777/28598',
      '10.5555/no-such-name',
    ],
  }),
  tab(inText, {
    text: `Berninger (2020), doi:10.1021/jacs.5c01100. See also <https://doi.org/10.1000/182>
and <i>10.1103/PhysRevLett.118.140402</i>.`,
  }),
  tab(suspicious, {
    inputs: [
      '10.1000/182.',
      '10.1000/182?utm_source=mail',
      '10.1021/jacs.5c01100/pdf',
      '10.1000/d\u0435mo_DOI',
      'see https://doi.org/10.1000/182 and 10.1000/1',
    ],
    lookalike: '10.1000/d\u0435mo_DOI',
  }),
  tab(prefixAndShort, { prefix: '10.1021', short: '10/p54k' }),
];
