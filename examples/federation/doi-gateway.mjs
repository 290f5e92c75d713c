// The DOI gateway itself, from the sources of this project, as a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The promises of its URL and of its end, and how to bring that about. `environment` is added to ours. */
export function startDoiGateway(port, environment = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, ...environment, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C is for whoever started it, who then stops it: twice would be too often.
    detached: true,
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { url: urlSaidBy(child), ended, stop };
}

/** The address in the first line that has one; all others are read, so that it can go on writing. */
async function urlSaidBy(child) {
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const port = /http:\/\/\S+?:(\d+)\/graphql/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}/graphql`);
    });
    const advice = 'It needs `npm ci` in the project’s root, and a free port.';
    lines.on('close', () => reject(new Error(`The DOI gateway ended before it listened. ${advice}`)));
  });
}
