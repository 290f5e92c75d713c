// All attacks, in the order they are played.

import { names } from '../../peers/data.mjs';
import { type Attack, posts } from '../attack.ts';
import { dois, FORMS, known, op, PARSE_DOIS } from '../requests.ts';
import { bodies } from './bodies.ts';
import { odd, slow } from './connections.ts';
import { documents, registered } from './documents.ts';
import { faceSums } from './face-sums.ts';
import { findDoisAttacks } from './find-dois.ts';
import { entityAttacks, inputAttacks } from './inputs.ts';
import { jobSums } from './job-sums.ts';
import { largestAttacks } from './largest.ts';
import { live } from './live.ts';
import { documentSums } from './operation-sums.ts';
import { incremental } from './parts.ts';
import { recordAttacks } from './records.ts';
import { rest } from './rest.ts';

// What stays allowed: the machine is busy with it, and others are answered all the same.

const ALLOWED = dois(
  `${FORMS} record{status responseCode values{index type ttl timestamp data{format ...on HandleStringData{value}...on HandleAdminData{handle index permissions}}}}registrationAgency{name title}redirect{url chosenBy}`,
);
const IN_ALL_FORMS = op(ALLOWED, { n: known(1_000) });

const allowed: readonly Attack[] = posts(
  {
    '1,000 names in all forms, 10 at once': IN_ALL_FORMS,
    '1,000 names in all forms, 10 at once, other names': op(ALLOWED, { n: names.slice(5_000, 6_000) }),
    '1,000 names with record and agency, 20 at once': [
      op(dois('name uri url record{values{type text}}registrationAgency{name}'), { n: known(1_000) }),
      20,
    ],
    '2,000 parseDois, 10 at once': op(PARSE_DOIS, { n: known(2_000) }),
    '1,000 names in all forms, and gone after 50 ms': [
      IN_ALL_FORMS,
      { times: 60, atOnce: 20, expect: 'graphql', manner: { leaveAfterMs: 50 } },
    ],
  },
  { times: 10, expect: 'allowed' },
);

export const ATTACKS: readonly Attack[] = [
  allowed,
  rest,
  odd,
  incremental,
  bodies,
  documents,
  registered,
  inputAttacks,
  entityAttacks,
  findDoisAttacks,
  recordAttacks,
  largestAttacks,
  slow,
  live,
  documentSums,
  faceSums,
  jobSums,
].flat();
