// A program that is measured may be slow, crash, or print rubbish: each ends in a message, within bounds.

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

test('a good program responds to each request, or says that it does not support it', async () => {
  const { ask } = program(`'${process.execPath}' -e '
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, text } = JSON.parse(line);
      console.log(JSON.stringify(id === "b" ? { id, unsupported: true } : { id, output: { name: text } }));
    });'`);
  expect(await ask(request('a'))).toEqual({ output: { name: '10.1000/é' } });
  expect(await ask(request('b'))).toEqual({ unsupported: true });
  expect(await ask(request('c'))).toEqual({ output: { name: '10.1000/é' } });
});

test('a program that crashes fails that case, with its standard error, and is started again', async () => {
  const { ask } = shellProgram(`if [ $id = a ]; then echo no memory >&2; exit 3; fi; ${GOOD}`);
  expect(await ask(request('a'))).toEqual({
    fault: 'The program ended with status 3. Its standard error: no memory',
  });
  expect(await ask(request('b'))).toEqual({ output: 1 });
});

test('a program that is slow fails that case, and is started again', async () => {
  const { ask } = shellProgram(`if [ $id = b ]; then sleep 60; fi; ${GOOD}`, { responseMs: 100 });
  expect(await ask(request('a'))).toEqual({ output: 1 });
  expect(await ask(request('b'))).toEqual({ fault: 'The program did not respond within 100 ms.' });
  expect(await ask(request('c'))).toEqual({ output: 1 });
});

testTable([
  ['Traceback: x', 'wrote a line that is not JSON: Traceback: x'],
  ['7', 'wrote no object: 7'],
  ['{"id":"b","output":1}', 'did not respond to a: {"id":"b","output":1}'],
  ['{"id":"a","unsupported":0}', 'wrote neither `output` nor `unsupported`: {"id":"a","unsupported":0}'],
])('a program that prints %s fails, and the message shows it', async (line, fault) => {
  expect(await shellProgram(`echo '${line}'`).ask(request('a'))).toEqual({ fault: `The program ${fault}.` });
});

test('a line too many is a fault of the next case', async () => {
  const { ask } = shellProgram(`if [ $id = a ]; then ${GOOD}; fi; ${GOOD}`);
  expect(await ask(request('a'))).toEqual({ output: 1 });
  const next = await ask(request('b'));
  expect('fault' in next ? next.fault : '').toMatch(/wrote a line without a request|did not respond to b/);
  expect(await ask(request('c'))).toEqual({ output: 1 });
});

test('a program that writes without end is stopped', async () => {
  const { ask } = program('cat /dev/zero');
  expect(await ask(request('a'))).toEqual({ fault: 'The program wrote more than 10000 bytes.' });
});

test('a program that never responds is not started without end', async () => {
  const { ask } = program('exit 0');
  for (const id of ['a', 'b'])
    expect(await ask(request(id))).toEqual({ fault: 'The program ended with status 0.' });
  expect(await ask(request('c'))).toEqual({ fault: 'Not played: 2 starts in a row had no response.' });
});

test('an unknown command ends in the words of the shell', async () => {
  const { ask } = program('no-such-program-here');
  expect(await ask(request('a'))).toEqual({ fault: expect.stringMatching(/status 127.*not found/s) });
});

test('all cases together have a bound', async () => {
  const { ask } = shellProgram(GOOD, { totalMs: 0 });
  expect(await ask(request('a'))).toEqual({ fault: 'Not played: 0 ms for all cases are over.' });
});
