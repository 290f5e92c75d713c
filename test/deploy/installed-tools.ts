// Programs that tests of deploy/ start: Debian's packages prometheus (promtool), and golang-go with
// golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const TOOLS = {
  promtool: { files: ['/usr/bin/promtool'], packages: 'prometheus' },
  go: {
    files: [
      '/usr/bin/go',
      '/usr/share/gocode/src/github.com/Masterminds/sprig',
      '/usr/share/gocode/src/sigs.k8s.io/yaml',
    ],
    packages: 'golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev',
  },
} as const;

/**
 * Whether to skip a suite that needs a program: `describe.skipIf(without('go', 'the chart'))`.
 * Writes one line about it. In CI nothing is skipped: there the start fails.
 */
export function without(tool: keyof typeof TOOLS, suite: string): boolean {
  const { files, packages } = TOOLS[tool];
  if (process.env['CI'] || files.every((file) => existsSync(file))) return false;
  process.stderr.write(`skipped: ${suite}: no ${tool} (Debian's ${packages})\n`);
  return true;
}

/** Runs promtool. Rejects with its output if a check fails. */
export async function promtool(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('promtool', args);
  return stdout;
}

/** Runs a Go program with Debian's packages. Resolves with its output. */
export async function runGo(file: string, input: string): Promise<string> {
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' };
  const running = promisify(execFile)('go', ['run', file], { env, maxBuffer: 64_000_000 });
  running.child.stdin?.end(input);
  const { stdout } = await running;
  return stdout;
}
