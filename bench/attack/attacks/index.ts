// All attacks, in the order they are played.

import type { Attack } from '../attack.ts';
import { allowed } from './allowed.ts';
import { argumentAttacks } from './arguments.ts';
import { bodies } from './bodies.ts';
import { odd, slow } from './connections.ts';
import { documents, registered } from './documents.ts';
import { entityAttacks } from './entities.ts';
import { findDoisAttacks } from './find-dois.ts';
import { inputAttacks } from './inputs.ts';
import { largestAttacks } from './largest.ts';
import { live } from './live.ts';
import { incremental } from './parts.ts';
import { recordAttacks } from './records.ts';
import { rest } from './rest.ts';
import { documentSums } from './sums/documents.ts';
import { faceSums } from './sums/faces.ts';
import { jobSums } from './sums/jobs.ts';

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
  argumentAttacks,
  recordAttacks,
  largestAttacks,
  slow,
  live,
  documentSums,
  faceSums,
  jobSums,
].flat();
