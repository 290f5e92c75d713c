// A part of the example as a process of its own, seen from the one that starts all of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** `node catalog.mjs` in this folder. */
export const startScript = (script, environment) => startNode('.', [script], environment);

/** The DOI gateway itself, from the sources of this project. */
export const startDoiGateway = (port) =>
  startNode('../..', ['--import', 'tsx', 'src/main.ts'], {
    HOST: '127.0.0.1',
    PORT: port,
    LOG_LEVEL: 'info',
  });

/**
 * `port` is a promise of the port that it listens on, `ended` one of the word for how it ended, `output` the
 * lines that it says.
 */
function startNode(folder, args, environment) {
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL(folder, import.meta.url)),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C is for whoever started it, who then stops it: twice would be too often.
    detached: true,
  });
  const output = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`);
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { pid: child.pid, port: portSaidIn(output), output, ended, stop };
}

/** The port in the first line that has the address; all others are read, so that the part can go on writing. */
function portSaidIn(output) {
  return new Promise((resolve, reject) => {
    output.on('line', (line) => {
      const port = /http:\/\/\S+?:(\d+)\/graphql/.exec(line)?.[1];
      if (port) resolve(port);
    });
    output.on('close', () => reject(new Error('it ended before it listened')));
  });
}
