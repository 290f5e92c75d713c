// A measured program may be slow, crash or print invalid lines: each fault has a message and a bound.

import { expect, onTestFinished, test } from 'vitest';
import { createProgram, type Limits, type Program } from '../../../checks/conformance/run/program.ts';
import { testTable } from '../../support/test-table.ts';

const LIMITS: Limits = {
  startMs: 5_000,
  responseMs: 5_000,
  totalMs: 20_000,
  maxBytes: 10_000,
  maxStarts: 2,
};

function program(command: string, limits: Partial<Limits> = {}): Program {
  const created = createProgram(command, { ...LIMITS, ...limits });
  onTestFinished(created.stop);
  return created;
}

/** A program of the shell: `body` runs for each request, whose id is `$id`. */
function shellProgram(body: string, limits: Partial<Limits> = {}): Program {
  return program(`while read -r line; do id=\${line#*:?}; id=\${id%%?,*}; ${body}; done`, limits);
}

const GOOD = 'echo "{\\"id\\":\\"$id\\",\\"output\\":1}"';
const request = (id: string): { id: string; text: string } => ({ id, text: '10.1000/é' });

test('a good program responds to each request, or says that it does not support the request', async () => {
  const { send } = program(`'${process.execPath}' -e '
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, text } = JSON.parse(line);
      console.log(JSON.stringify(id === "b" ? { id, unsupported: true } : { id, output: { name: text } }));
    });'`);
  expect(await send(request('a'))).toEqual({ output: { name: '10.1000/é' } });
  expect(await send(request('b'))).toEqual({ unsupported: true });
  expect(await send(request('c'))).toEqual({ output: { name: '10.1000/é' } });
});

test('a program that crashes fails the case, with its standard error, and is started again', async () => {
  const { send } = shellProgram(`if [ $id = a ]; then echo no memory >&2; exit 3; fi; ${GOOD}`);
  expect(await send(request('a'))).toEqual({
    fault: 'The program ended with status 3. Its standard error: no memory',
  });
  expect(await send(request('b'))).toEqual({ output: 1 });
});

test('a program that is slow fails the case, and is started again', async () => {
  const { send } = shellProgram(`if [ $id = b ]; then sleep 60; fi; ${GOOD}`, { responseMs: 100 });
  expect(await send(request('a'))).toEqual({ output: 1 });
  expect(await send(request('b'))).toEqual({ fault: 'The program did not respond within 100 ms.' });
  expect(await send(request('c'))).toEqual({ output: 1 });
});

testTable([
  ['Traceback: x', 'wrote a line that is not JSON: Traceback: x'],
  ['7', 'wrote no object: 7'],
  ['{"id":"b","output":1}', 'did not respond to a: {"id":"b","output":1}'],
  ['{"id":"a","unsupported":0}', 'wrote neither `output` nor `unsupported`: {"id":"a","unsupported":0}'],
])('a program that prints %s fails, and the message shows it', async (line, fault) => {
  expect(await shellProgram(`echo '${line}'`).send(request('a'))).toEqual({ fault: `The program ${fault}.` });
});

test('an extra line of a program makes the next case fail', async () => {
  const { send } = shellProgram(`if [ $id = a ]; then ${GOOD}; fi; ${GOOD}`);
  expect(await send(request('a'))).toEqual({ output: 1 });
  const next = await send(request('b'));
  expect('fault' in next ? next.fault : '').toMatch(/wrote a line without a request|did not respond to b/);
  expect(await send(request('c'))).toEqual({ output: 1 });
});

test('a program that writes without end is stopped', async () => {
  const { send } = program('cat /dev/zero');
  expect(await send(request('a'))).toEqual({ fault: 'The program wrote more than 10000 bytes.' });
});

test('a program that never responds is not started without end', async () => {
  const { send } = program('exit 0');
  for (const id of ['a', 'b'])
    expect(await send(request(id))).toEqual({ fault: 'The program ended with status 0.' });
  expect(await send(request('c'))).toEqual({ fault: 'Not played: 2 starts in a row had no response.' });
});

test('an unknown command fails with the message of the shell', async () => {
  const { send } = program('no-such-program-here');
  expect(await send(request('a'))).toEqual({ fault: expect.stringMatching(/status 127.*not found/s) });
});

test('all cases together have a time limit', async () => {
  const { send } = shellProgram(GOOD, { totalMs: 0 });
  expect(await send(request('a'))).toEqual({ fault: 'Not played: 0 ms for all cases are over.' });
});
