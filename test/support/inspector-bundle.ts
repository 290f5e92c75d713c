// Bundles the inspector as `npm run build` does, so that its tests also run in a checkout that is not built.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export default async function bundleForInspector(): Promise<void> {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  await promisify(execFile)('npm', ['run', '--silent', 'bundle'], { cwd });
}
