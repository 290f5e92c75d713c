// All attacks, in the order in which they run.

import { type Attack, posts } from '../attack.ts';
import { dois, FORMS, known, op, PARSE_DOIS } from '../requests.ts';
import { bodies } from './bodies.ts';
import { heads, odd, slow } from './connections.ts';
import { documents, registered } from './documents.ts';
import { findDoisAttacks } from './find-dois.ts';
import { entityAttacks, inputAttacks } from './inputs.ts';
import { largestAttacks } from './largest.ts';
import { live } from './live.ts';
import { parallelEndpoints } from './parallel-endpoints.ts';
import { parallelJobs } from './parallel-jobs.ts';
import { parallelOperations } from './parallel-operations.ts';
import { incremental } from './parts.ts';
import { planAttacks } from './plans.ts';
import { recordAttacks } from './records.ts';
import { rest } from './rest.ts';
import { uploadAttacks } from './uploads.ts';
import { workAttacks } from './works.ts';

const ALL_FORMS = op(
  dois(
    `${FORMS} record{status responseCode values{index type ttl timestamp data{format ...on HandleStringData{value}...on HandleAdminData{handle index permissions}}}}registrationAgency{name title}redirect{url chosenBy}`,
  ),
  { n: known(1_000) },
);
const RECORDS = dois('name uri url record{values{type text}}registrationAgency{name}');

/** Large requests that the gateway allows. They keep the machine busy while the honest client gets its responses. */
const allowed: readonly Attack[] = posts(
  {
    '1,000 names in all forms, 10 at once': ALL_FORMS,
    '1,000 names with record and agency, 20 at once': [op(RECORDS, { n: known(1_000) }), 20],
    '2,000 parseDois, 10 at once': op(PARSE_DOIS, { n: known(2_000) }),
    '1,000 names in all forms, the client leaves after 50 ms': [
      ALL_FORMS,
      { requests: 60, atOnce: 20, leaveAfterMs: 50, expect: 'graphql' },
    ],
  },
  { requests: 10, atOnce: 10, expect: 'success' },
);

export const ATTACKS: readonly Attack[] = [
  allowed,
  rest,
  odd,
  incremental,
  bodies,
  documents,
  registered,
  planAttacks,
  inputAttacks,
  entityAttacks,
  findDoisAttacks,
  recordAttacks,
  workAttacks,
  largestAttacks,
  heads,
  slow,
  live,
  parallelOperations,
  parallelEndpoints,
  parallelJobs,
  uploadAttacks,
].flat();
