// The table of all variables that the gateway reads.

import { CLIENT_VARIABLES } from './config-variables/client-variables.ts';
import { JOB_VARIABLES } from './config-variables/job-variables.ts';
import { METADATA_VARIABLES } from './config-variables/metadata-variables.ts';
import { LISTENING_VARIABLES, PROCESS_VARIABLES } from './config-variables/process-variables.ts';
import { REQUEST_VARIABLES } from './config-variables/request-variables.ts';
import { SOURCE_VARIABLES } from './config-variables/source-variables.ts';
import type { Variable } from './config-variables/variable-types.ts';

/** In the order of docs/configuration.md. */
export const VARIABLES = {
  ...LISTENING_VARIABLES,
  ...SOURCE_VARIABLES,
  ...METADATA_VARIABLES,
  ...REQUEST_VARIABLES,
  ...CLIENT_VARIABLES,
  ...JOB_VARIABLES,
  ...PROCESS_VARIABLES,
} as const satisfies Record<string, Variable>;
