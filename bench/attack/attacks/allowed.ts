// What stays allowed: the machine is busy with it, and others are answered all the same.

import { names } from '../../peers/data.mjs';
import { type Attack, post } from '../attack.ts';

const known = (count: number): string[] => names.slice(0, count);
const dois = (fields: string, more = ''): string => `query($n:[String!]!${more}){dois(inputs:$n){${fields}}}`;
const FORMS =
  'name display uri url dxUrl urn urnUrl infoUri handleUri apiUrl whichRaUrl webForm html markdown utf8Hex codePoints';
const ENCODINGS = 'encodings{form label value sourceDocument}';
const PARSED =
  'form input fragment proxyParameters{name value} problem{code message position} doi{name uri warnings{code}}';
const parseDois = `query($n:[String!]!){parseDois(inputs:$n){${PARSED}}}`;
const ALLOWED = dois(
  `${FORMS} ${ENCODINGS} record{status responseCode values{index type ttl timestamp data{format ...on HandleStringData{value}...on HandleAdminData{handle index permissions}}}}registrationAgency{name title}redirect{url chosenBy}`.replace(
    ` ${ENCODINGS}`,
    '',
  ),
);

export const allowed: readonly Attack[] = [
  post(
    '1,000 names in all forms, 10 at once',
    ALLOWED,
    { n: known(1_000) },
    { times: 10, expect: 'allowed' },
  ),
  post(
    '1,000 names in all forms, 10 at once, other names',
    ALLOWED,
    { n: names.slice(5_000, 6_000) },
    { times: 10, expect: 'allowed' },
  ),
  post(
    '1,000 names with record and agency, 20 at once',
    dois('name uri url record{values{type text}}registrationAgency{name}'),
    { n: known(1_000) },
    { times: 20, expect: 'allowed' },
  ),
  post('2,000 parseDois, 10 at once', parseDois, { n: known(2_000) }, { times: 10, expect: 'allowed' }),
  post(
    '1,000 names in all forms, and gone after 50 ms',
    ALLOWED,
    { n: known(1_000) },
    { times: 60, atOnce: 20, manner: { leaveAfterMs: 50 } },
  ),
];
