// Why JOBS_DIR cannot be used, for the operator who starts the gateway.

import { JobsStartError } from '../queue/queue-connection.ts';

export function unusable(folder: string, cause: unknown): JobsStartError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const why = WHY[code] ?? `it fails with ${code || String(cause)}`;
  return new JobsStartError(`JOBS_DIR=${folder} cannot be used: ${why}.`, { cause });
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'the gateway may not write there',
  EROFS: 'it is read-only',
  EPERM: 'it has no hard links, or the gateway may not make any',
  ENOTSUP: 'it has no hard links',
  ENOSYS: 'it has no hard links',
  ENOTDIR: 'it is no folder',
  ENOSPC: 'it is full',
};
