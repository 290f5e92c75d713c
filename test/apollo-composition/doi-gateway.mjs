// The DOI gateway as a process of its own, with the records that come with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Its address, and how to stop it. */
export async function startDoiGateway() {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env.PATH, PORT: '0', SHUTDOWN_DRAIN_MS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/[^\s"]+?:\d+/.exec(line)?.[0];
    if (!url) continue;
    child.stdout.resume();
    return { url: `${url}/graphql`, stop };
  }
  throw new Error('The DOI gateway ended before it listened.');
}
