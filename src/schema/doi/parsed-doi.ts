// The type ParsedDOI and its queries. An input that is not a DOI name gives a problem, not an error.

import type { DoiProblem, DoiProblemCode, OtherIdentifier, ParsedDoi, ProxyParameter } from 'doi-names';
import { meantBy, parseDoi } from 'doi-names/parts';
import { builder, describedEnum } from '../builder.ts';
import { COUNTED_ABOVE } from '../field-price.ts';
import { DoiType, doiOrNull } from './doi.ts';
import { DoiFormEnum, MANY_INPUTS, ONE_INPUT } from './doi-form.ts';
import { DoiMatchType } from './doi-match.ts';

const DoiProblemCodeEnum = describedEnum<DoiProblemCode>('DOIProblemCode', 'The problem of an input.', {
  EMPTY: 'The input has only white space and invisible characters, or nothing.',
  NOT_A_DOI: 'The input is not similar to a DOI name: `978-3-16-148410-0`.',
  NOT_IN_FORM: 'Not written in the requested `form`: `10.1000/182` as a URL.',
  INVALID_DIRECTORY_INDICATOR: 'Begins with a number other than `10.`: `11.1000/182`.',
  INVALID_PREFIX:
    'The part between `10.` and the slash has characters other than digits and single full stops: `10.10OO/182`.',
  MISSING_SUFFIX: 'Nothing follows the prefix: `10.1000/`, `10.1000`.',
  NON_GRAPHIC_CHARACTER:
    'Contains a control character, an invisible character such as the soft hyphen, or a code point that is unassigned or for private use.',
  INVALID_PERCENT_ENCODING: 'A percent sign without two hexadecimal digits after it: `10.1000/100%`.',
  INVALID_UTF8: 'Percent triplets that are not UTF-8: `10.1000/%E9`.',
  UNPAIRED_SURROGATE: 'Contains half a character. A program cut the text inside an emoji.',
  SHORT_DOI: 'A shortDOI, which is an alias of a DOI name, not a DOI name: `10/abcde`.',
});

const OtherIdentifierEnum = describedEnum<OtherIdentifier>(
  'OtherIdentifier',
  'The kind of an input that is not a DOI name.',
  {
    SHORT_DOI: 'A shortDOI, which is an alias of a DOI name: `10/abcde`, `https://doi.org/abcde`.',
    HANDLE: 'A handle that is not a DOI name: `0.NA/10.5555`, `hdl:loc.gov/abc`.',
    ARXIV: 'An identifier of arXiv: `arXiv:2101.12345`, `hep-th/9901001`. Each has a DOI name.',
    ISBN: 'A book, with ten or thirteen digits and the right check digit: `978-3-16-148410-0`.',
    ISSN: 'A serial, with the right check digit: `0317-8471`.',
    PMID: 'A record of PubMed, with its label: `PMID: 31978945`.',
    PMCID: 'An article of PubMed Central: `PMC2715568`.',
    ORCID: 'A researcher, with the right check digit: `0000-0002-1825-0097`.',
    ROR: 'An organization, with the right check digits: `https://ror.org/03yrm5c26`.',
    URL: 'Any other address: `https://example.org/article/7`.',
  },
);

export const DoiProblemType = builder.objectRef<DoiProblem>('DOIProblem').implement({
  description: 'Why an input is not a DOI name.',
  fields: (t) => ({
    code: t.expose('code', {
      type: DoiProblemCodeEnum,
      description: 'The problem, for programs: MISSING_SUFFIX, SHORT_DOI, …',
    }),
    message: t.exposeString('message', {
      description: 'For people: the problem, its position, and the remedy.',
    }),
    position: t.exposeInt('position', {
      nullable: true,
      description: 'UTF-16 offset of the problem in the input as sent. Null if the problem has no position.',
    }),
    looksLike: t.expose('looksLike', {
      type: OtherIdentifierEnum,
      nullable: true,
      description:
        'The kind of a NOT_A_DOI or SHORT_DOI input: ISBN for `978-3-16-148410-0`. Null if unknown.',
    }),
  }),
});

const ProxyParameterType = builder.objectRef<ProxyParameter>('ProxyParameter').implement({
  description: 'One query parameter of a DOI proxy URL, decoded.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The part before the `=`: `type`, `noredirect`.' }),
    value: t.exposeString('value', {
      nullable: true,
      description: 'The part after the `=`: `URL`. Null for a bare flag such as `noredirect`.',
    }),
  }),
});

export const ParsedDoiType = builder.objectRef<ParsedDoi>('ParsedDOI').implement({
  description: 'The result of reading an input. Exactly one of `doi` and `problem` is null.',
  fields: (t) => ({
    input: t.exposeString('input', { description: 'The input as sent.' }),
    form: t.expose('form', {
      type: DoiFormEnum,
      nullable: true,
      description:
        'The recognised form: `https://doi.org/urn:doi:10.123:456` is URN. Null if no form was recognised.',
    }),
    doi: t.field({
      type: DoiType,
      nullable: true,
      description: 'The DOI in the input. Null if there is a `problem`.',
      resolve: ({ name }) => doiOrNull(name),
    }),
    problem: t.expose('problem', {
      type: DoiProblemType,
      nullable: true,
      description: 'Why the input is not a DOI name. Null if there is a `doi`.',
    }),
    proxyParameters: t.expose('proxyParameters', {
      type: [ProxyParameterType],
      description: 'The query parameters of a DOI proxy URL, in order. Empty for every other input.',
    }),
    fragment: t.exposeString('fragment', {
      nullable: true,
      description: 'The fragment of a DOI proxy URL, not decoded and without `#`. Null if there is none.',
    }),
    decoded: t.exposeBoolean('decoded', {
      description:
        'Whether the gateway decoded percent triplets, so that the name differs from the input. True for `10.1000/a%23b`: the name is `10.1000/a#b`. To keep such a name unchanged, use `form: NAME`.',
    }),
    meant: t.field({
      type: [DoiMatchType],
      ...COUNTED_ABOVE,
      description:
        'If there is a problem: the names that the client probably meant. They are the DOI names that `findDois` finds in the input, or the DOI name of an arXiv identifier. Else empty. This field makes no look-up.',
      resolve: (parsed) => meantBy(parsed).map((match) => ({ ...match, source: parsed.input })),
    }),
  }),
});

builder.queryFields((t) => ({
  parseDoi: t.field({
    type: ParsedDoiType,
    nullable: true,
    description:
      'Reads one input, and never fails: `parseDoi(input: "10.1000/")` returns the problem MISSING_SUFFIX.',
    ...ONE_INPUT,
    resolve: (_root, { input, form }) => parseDoi(input, form ?? null),
  }),
  parseDois: t.field({
    type: [ParsedDoiType],
    nullable: true,
    description: 'Reads many inputs. Order and duplicates are kept.',
    ...MANY_INPUTS,
    resolve: (_root, { inputs, form }) => inputs.map((input) => parseDoi(input, form ?? null)),
  }),
}));
