// A program that is measured: one JSON line for each request on its standard input, one on its standard output.

import { type ChildProcess, spawn } from 'node:child_process';

export interface Limits {
  /** until the first response after a start */
  readonly startMs: number;
  /** until each other response */
  readonly responseMs: number;
  /** of all requests together */
  readonly totalMs: number;
  /** of what the program writes for one request */
  readonly maxBytes: number;
  /** starts in a row without a response, then the program is not started again */
  readonly maxStarts: number;
}

export const LIMITS: Limits = {
  startMs: 10_000,
  responseMs: 2_000,
  totalMs: 600_000,
  maxBytes: 1_048_576,
  maxStarts: 3,
};

/** Of the standard error, for the message of a fault. */
const MAX_STDERR_CHARACTERS = 500;

const WITHOUT_REQUEST = 'wrote a line without a request';

export type Response =
  | { readonly output: unknown }
  | { readonly unsupported: true }
  /** the program failed, and how */
  | { readonly fault: string };

export interface Program {
  /** One request at a time. Never rejects: after a fault the next request starts the program again. */
  send(request: { readonly id: string }): Promise<Response>;
  stop(): void;
}

interface Waiting {
  readonly id: string;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (response: Response) => void;
}

/** @param command for the shell; the first request starts it */
export function createProgram(command: string, limits: Limits = LIMITS): Program {
  const deadline = performance.now() + limits.totalMs;
  let child: ChildProcess | null = null;
  let waiting: Waiting | null = null;
  let unread = '';
  let bytes = 0;
  let stderr = '';
  /** what went wrong while no request waited: a fault of the next one */
  let faultBetween: string | null = null;
  let startsInVain = 0;

  function start(): ChildProcess {
    const started = spawn(command, { shell: true, detached: true, stdio: 'pipe' });
    const ifCurrent =
      <Arguments extends unknown[]>(act: (...args: Arguments) => void) =>
      (...args: Arguments): void => {
        if (child === started) act(...args);
      };
    unread = '';
    bytes = 0;
    stderr = '';
    startsInVain += 1;
    started.stdin.on('error', () => {}); // The exit says why.
    started.stdout.setEncoding('utf8').on('data', ifCurrent(read));
    started.stderr.setEncoding('utf8').on(
      'data',
      ifCurrent((text: string) => {
        stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
      }),
    );
    started.on(
      'close',
      ifCurrent((status: number | null, signal: string | null) =>
        fail(`ended with ${signal ?? `status ${status}`}`),
      ),
    );
    child = started;
    return started;
  }

  function read(text: string): void {
    unread += text;
    bytes += Buffer.byteLength(text);
    const fault = readLine();
    if (fault !== null) fail(fault);
  }

  /** The fault in the output of the program; null if the output has no fault. */
  function readLine(): string | null {
    if (bytes > limits.maxBytes) return `wrote more than ${limits.maxBytes} bytes`;
    const lineEnd = unread.indexOf('\n');
    if (lineEnd === -1) return null;
    if (waiting === null) return WITHOUT_REQUEST;
    const response = readResponse(unread.slice(0, lineEnd), waiting.id);
    if (typeof response === 'string') return response;
    unread = unread.slice(lineEnd + 1);
    bytes = Buffer.byteLength(unread);
    startsInVain = 0;
    settle(response);
    return unread.includes('\n') ? WITHOUT_REQUEST : null;
  }

  function fail(how: string): void {
    const ended = child;
    child = null;
    if (ended) kill(ended);
    const fault = `The program ${how}.${stderr.trim() === '' ? '' : ` Its standard error: ${stderr.trim()}`}`;
    if (waiting) settle({ fault });
    else faultBetween = fault;
  }

  function settle(response: Response): void {
    clearTimeout(waiting?.timer);
    waiting?.resolve(response);
    waiting = null;
  }

  return {
    send({ id, ...rest }) {
      const fault = faultBetween ?? notPlayed();
      faultBetween = null;
      if (fault !== null) return Promise.resolve({ fault });
      const isNew = child === null;
      const { stdin } = child ?? start();
      const timeoutMs = isNew ? limits.startMs : limits.responseMs;
      return new Promise((resolve) => {
        const timer = setTimeout(() => fail(`did not respond within ${timeoutMs} ms`), timeoutMs);
        waiting = { id, timer, resolve };
        stdin?.write(`${JSON.stringify({ id, ...rest })}\n`);
      });
    },
    stop() {
      if (child) fail('was stopped');
    },
  };

  function notPlayed(): string | null {
    if (performance.now() > deadline) return `Not played: ${limits.totalMs} ms for all cases are over.`;
    const isHopeless = child === null && startsInVain >= limits.maxStarts;
    return isHopeless ? `Not played: ${limits.maxStarts} starts in a row had no response.` : null;
  }
}

/** A string describes the fault of the line. */
function readResponse(line: string, id: string): Response | string {
  const excerpt = line.length > 100 ? `${line.slice(0, 100)}…` : line;
  let response: unknown;
  try {
    response = JSON.parse(line);
  } catch {
    return `wrote a line that is not JSON: ${excerpt}`;
  }
  if (typeof response !== 'object' || response === null) return `wrote no object: ${excerpt}`;
  if (!('id' in response) || response.id !== id) return `did not respond to ${id}: ${excerpt}`;
  if ('unsupported' in response && response.unsupported === true) return { unsupported: true };
  return 'output' in response
    ? { output: response.output }
    : `wrote neither \`output\` nor \`unsupported\`: ${excerpt}`;
}

/** With all processes that the shell started. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
