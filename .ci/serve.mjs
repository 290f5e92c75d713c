// Starts the built gateway with the Node that runs this file, alone and as two workers: each serves one query and
// stops cleanly on SIGTERM. Run `npm run build` first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** For starting and stopping together. */
const TIMEOUT_MS = 60_000;

for (const workers of ['1', '2']) await serveOnce(workers);

async function serveOnce(workers) {
  const env = { PATH: process.env.PATH, PORT: '0', SHUTDOWN_DRAIN_MS: '0', WORKERS: workers };
  const gateway = spawn(process.execPath, ['dist/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const timeout = setTimeout(() => gateway.kill('SIGKILL'), TIMEOUT_MS);
  let stderr = '';
  gateway.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = once(gateway, 'close');
  try {
    const url = await addressOf(gateway.stdout);
    const { data } = await query(url, '{ doi(input: "https://doi.org/10.1000%2F182") { name exists } }');
    if (JSON.stringify(data) !== '{"doi":{"name":"10.1000/182","exists":true}}')
      throw new Error(`The gateway returned ${JSON.stringify(data)}.`);
    gateway.kill('SIGTERM');
    const [code, signal] = await ended;
    if (code !== 0 || stderr !== '') throw new Error(`It ended with ${code ?? signal}: ${stderr}`);
    console.log(`WORKERS=${workers} on Node ${process.version}: started, served a query, stopped.`);
  } finally {
    clearTimeout(timeout);
    gateway.kill('SIGKILL');
  }
}

/** The address in the first line of the log; the other lines are read and dropped. */
async function addressOf(stdout) {
  const lines = createInterface({ input: stdout });
  const [line = '{}'] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  const url = /http:\/\/localhost:\d+\/graphql/.exec(JSON.parse(line).msg)?.[0];
  if (!url) throw new Error(`The first message names no address: ${line}`);
  return url;
}

async function query(url, text) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ query: text }),
  });
  return response.json();
}
