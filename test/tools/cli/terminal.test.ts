// On a terminal, texts of files, records and errors have no control characters. In files and pipes, data is unchanged.

import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { NoGatewayError } from '../../../src/tools/gateway-client/send-operation.ts';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, runCli } from './run-cli.ts';

const HOSTILE = '\u001B]0;title\u0007\r\u007F\u009B31m\u202E\u2028';
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The text without line feeds, tabs and the sequences of `doi`. */
function foreign(text: string): string {
  return text.replaceAll(/\u001B\[\d*m|\r\u001B\[K|[\n\t]/g, '');
}

describe('on a terminal', () => {
  const records = { '10.1000/1': [urlValue(`https://example.org/${HOSTILE}`)] };

  test.each([
    ['csv', `doi,note\n10.1000/1,"${HOSTILE}"\n`],
    ['tsv', `doi\tnote\n10.1000/1\t${HOSTILE.replace('\r', '')}\n`],
    ['jsonl', `{"doi":"10.1000/1","note":${JSON.stringify(HOSTILE)}}\n`],
  ])('doi bulk writes cells and records of %s without control characters', async (from, stdin) => {
    const args = ['bulk', '--from', from, '-c', 'doi', '-f', 'target'];
    const gateway = await fakeGateway({ records });
    const shown = await runCli(args, { gateway, stdin, isTerminal: true });
    expect(shown.stdout).toContain('title');
    expect(foreign(shown.stdout)).not.toMatch(CONTROLS);
    const piped = await runCli(args, { gateway, stdin });
    expect(piped.stdout).toContain(from === 'jsonl' ? JSON.stringify(HOSTILE) : HOSTILE.slice(0, 8));
    expect(piped.stdout).toContain('\u009B31m\u202E\u2028');
  });

  test.each([
    ['show', ['show', '10.1000/1', `10.1000/${HOSTILE}`]],
    ['show --json', ['show', '--json', '10.1000/1']],
    ['check', ['check']],
    ['find', ['find', '--json']],
  ])('doi %s writes no control characters', async (_, args) => {
    const gateway = await fakeGateway({ records });
    const stdin = `10.1000/1 <10.1000/x${HOSTILE}>`;
    const { stdout } = await runCli(args, { gateway, stdin, isTerminal: true });
    expect(stdout).toContain('10.1000');
    expect(foreign(stdout)).not.toMatch(CONTROLS);
  });

  test('doi mcp writes equivalent messages without control characters', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const call = { jsonrpc: '2.0', id: `\u009B\u202E`, method: 'initialize', params };
    const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
    const responded = once(stdout, 'data');
    async function* stdin() {
      yield Buffer.from(`${JSON.stringify(call)}\n`);
      await responded;
    }
    await runCli(['mcp'], { gateway: await fakeGateway(), stdin: stdin(), stdout });
    const [response] = (await responded) as [string];
    expect(foreign(response)).not.toMatch(CONTROLS);
    expect(JSON.parse(response)).toMatchObject({ id: call.id, result: {} });
  });
});

describe('on a terminal and in a log, errors have no control characters from', () => {
  test('names of files', async () => {
    for (const command of ['find', 'check', 'bulk']) {
      const { stderr } = await runCli([command, `/nowhere/${HOSTILE}`], { gateway: await fakeGateway() });
      expect(stderr).toContain('no such file');
      expect(foreign(stderr)).not.toMatch(CONTROLS);
    }
  });

  test('messages of a gateway', async () => {
    const open = () => Promise.reject(new NoGatewayError(`No\n${HOSTILE}`));
    const { stderr } = await runCli(['show', '10.1000/1'], { open });
    expect(stderr).toMatch(/^doi: No\\u000A\\u001B.*\n$/);
    expect(foreign(stderr)).not.toMatch(CONTROLS);
  });

  test('codes of a gateway in the summary of doi bulk', async () => {
    const errors = [
      { message: 'No.', path: ['parseDois', 0, 'doi', 'exists'], extensions: { code: HOSTILE } },
    ];
    const send = async () => ({
      data: { parseDois: [{ problem: null, doi: { name: '10.1000/1', exists: null } }] },
      errors,
    });
    const gateway = { ...(await fakeGateway()), send: send as never };
    const { stderr } = await runCli(['bulk', '-f', 'exists'], { gateway, stdin: '10.1000/1\n' });
    expect(stderr).toContain('title');
    expect(foreign(stderr)).not.toMatch(CONTROLS);
  });

  test('options and commands', async () => {
    for (const args of [[HOSTILE], ['find', `--${HOSTILE}`], ['help', HOSTILE]]) {
      const { stderr } = await runCli(args);
      expect(stderr).toContain('title');
      expect(foreign(stderr)).not.toMatch(CONTROLS);
    }
  });

  test('a line of a lock file that cannot be read', async () => {
    const folder = await folderWith({ 'a.lock': `${HOSTILE.replace('\r', '')}\n` });
    const { stderr } = await runCli(['check', '--lock', join(folder, 'a.lock')]);
    expect(stderr).toContain('lock file');
    expect(foreign(stderr)).not.toMatch(CONTROLS);
  });
});
