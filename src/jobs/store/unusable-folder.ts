// The error if the gateway cannot use JOBS_DIR. Its message is for the operator.

import { JobsStartError } from '../queue/queue-connection.ts';

export function unusableFolder(folder: string, cause: unknown): JobsStartError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? `it fails with ${code || String(cause)}`;
  return new JobsStartError(`JOBS_DIR=${folder} cannot be used: ${reason}.`, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the gateway has no permission to write there',
  EROFS: 'it is read-only',
  EPERM: 'it has no hard links, or the gateway has no permission to create hard links',
  ENOTSUP: 'it has no hard links',
  ENOSYS: 'it has no hard links',
  ENOTDIR: 'it is not a folder',
  ENOSPC: 'it is full',
};
