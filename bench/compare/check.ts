// Before anything is timed: every server gives the same answers as bare node:http, so that nobody cheats.

import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { createResponseReader } from '../http-bytes.ts';
import type { ServerProcess } from '../node-process.ts';
import type { Row } from './rows.ts';
import { type ServerName, TITLES } from './servers.ts';
import { createTemplate, type Template } from './template.ts';

interface Whole {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/** Of each request of a row, with other names each time. */
const CHECKS = 16;

/** Throws when an answer is not what the row calls right. Before that it warms each server with all names. */
export async function checkAnswers(row: Row, servers: ReadonlyMap<ServerName, ServerProcess>): Promise<void> {
  for (const server of servers.values()) {
    for (const request of row.warmUp) await exchange(server.port, request);
  }
  const bare = servers.get('bare');
  const templates = row.requests.map(createTemplate);
  for (let at = 0; at < CHECKS * templates.length; at += 1) {
    const request = (templates[at % templates.length] as Template)(at);
    const expected = bare === undefined ? null : await exchange(bare.port, request);
    for (const [name, server] of servers) {
      const answer = await exchange(server.port, request);
      if (!isRight(row, answer, expected)) {
        const sample = `${answer.head.split('\r\n')[0]}\n${answer.text.slice(0, 600)}`;
        throw new Error(`${TITLES[name]}, ${row.title}, request ${at}: not the answer of bare\n${sample}`);
      }
    }
  }
}

function isRight({ rightWhen }: Row, answer: Whole, expected: Whole | null): boolean {
  if (rightWhen === 'same-redirect') {
    return answer.status === expected?.status && locationOf(answer) === locationOf(expected);
  }
  if (answer.status !== 200) return false;
  const json: unknown = JSON.parse(answer.text);
  if (expected !== null) return isDeepStrictEqual(json, JSON.parse(expected.text));
  const { data, errors } = json as { data?: unknown; errors?: unknown };
  return data !== undefined && data !== null && errors === undefined;
}

function locationOf({ head }: Whole): string | undefined {
  return /\r\nlocation: *([^\r]*)/i.exec(head)?.[1];
}

export function exchange(port: number, request: Buffer): Promise<Whole> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
    const parts: Buffer[] = [];
    let head = '';
    const read = createResponseReader({
      head: (_, text) => {
        head = text;
      },
      body: (bytes) => parts.push(bytes),
      end(status) {
        socket.destroy();
        done({ status, head, text: Buffer.concat(parts).toString() });
      },
    });
    socket.on('data', read);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection was closed before the answer')));
  });
}
