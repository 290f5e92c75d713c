// A child process of remembered-documents.test.ts: how much memory documents of a kind take, and how much that is said to be.

import { createOperations, DocumentRefused } from '../../src/graphql/operation.ts';

/** None the same as another. */
const KINDS: Readonly<Record<string, (index: number) => string>> = {
  'fields that do not exist': (index) =>
    `{ ${Array.from({ length: 250 }, (_, i) => `f${i}x${index}`).join(' ')} }`,
  'few characters that are all wrong': (index) => `{a${index} b c d e f g h i j k}`,
  'one long field that does not exist': (index) => `{ ${'f'.repeat(2_000)}${index} }`,
  'what is no GraphQL': (index) => `{ doi(input: "${'x'.repeat(2_000)}${index}`,
  'aliases of a field': (index) =>
    `{ doi(input: "10.1/1") { ${Array.from({ length: 200 }, (_, i) => `a${i}x${index}:id`).join(' ')} } }`,
  'literals in a list': (index) =>
    `{ dois(inputs: [${Array.from({ length: 300 }, (_, i) => `"${i}${index}"`).join(',')}]) { id } }`,
  'arguments that are wrong': (index) =>
    `{ doi(input: "1") { ${Array.from({ length: 150 }, (_, i) => `a${i}:url(e${index}:1)`).join(' ')} } }`,
  'fragments on every type': (index) =>
    `{ doi(input: "10.1/1") { id ${Array.from({ length: 120 }, (_, i) => `...{a${i}x${index}:id}`).join(' ')} } }`,
};

/** Enough to come to the limit, and more. */
const CHARACTERS = 50_000;

function heap(): number {
  global.gc?.();
  global.gc?.();
  return process.memoryUsage().heapUsed;
}

function look(operations: ReturnType<typeof createOperations>, text: string): void {
  try {
    operations.prepare(text).operation(null).withVariables({});
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
  }
}

const told = Object.entries(KINDS).map(([kind, textOf]) => {
  // What is made once for all is not counted.
  look(createOperations(10_000, 16_000_000), textOf(-1));
  const operations = createOperations(10_000, 16_000_000);
  const before = heap();
  let most = 0;
  for (let index = 0; index * textOf(0).length < CHARACTERS; index += 1) {
    look(operations, textOf(index));
    most = Math.max(most, operations.rememberedBytes);
  }
  const taken = heap() - before;
  return { kind, taken, said: operations.rememberedBytes, most };
});

process.stdout.write(JSON.stringify(told));
