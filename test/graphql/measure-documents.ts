// The child process of remembered-documents.heap.test.ts. It measures the heap and the counted bytes for each kind of document.

import { Kind } from 'graphql';
import { servedSchema } from '../../src/graphql/incremental/incremental-rules.ts';
import { createOperations, DocumentRefused } from '../../src/graphql/operation.ts';
import type { PlannedFields, Shape } from '../../src/graphql/plan.ts';
import { priceIn } from '../../src/graphql/price.ts';

const times = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(' ');
const doi = (fields: string): string => `{ doi(input: "10.1/1") { ${fields} } }`;

/** Each kind makes different documents. `look` plans their operations with VARIABLES. */
const KINDS: Readonly<Record<string, (index: number) => string>> = {
  'fields that do not exist': (index) => `{ ${times(250, (i) => `f${i}x${index}`)} }`,
  'few characters with many faults': (index) => `{a${index} b c d e f g h i j k}`,
  'one long field that does not exist': (index) => `{ ${'f'.repeat(2_000)}${index} }`,
  'no GraphQL': (index) => `{ doi(input: "${'x'.repeat(2_000)}${index}`,
  'unknown arguments': (index) => doi(times(150, (i) => `a${i}:url(e${index}:1)`)),
  'a small operation': (index) => doi(`a${index}:name url record{values{type text}}registrationAgency{name}`),
  'aliases of a field': (index) => doi(times(200, (i) => `a${i}x${index}:id`)),
  'the maximum of aliases': (index) => doi(times(3_000, (i) => `a${i}x${index}:id`)),
  'fields with arguments': (index) => doi(times(900, (i) => `a${i}x${index}:url(encoding:RECOMMENDED)`)),
  'fields with variables': (index) =>
    `query($e:URLEncoding=RECOMMENDED)${doi(times(900, (i) => `a${i}x${index}:url(encoding:$e)`))}`,
  'objects as arguments': (index) =>
    doi(times(400, (i) => `a${i}x${index}:redirect(parameters:{locatt:["a:b"]}){url}`)),
  'literals in a list': (index) => `{dois(inputs:[${times(300, (i) => `"${i}${index}"`)}]){id}}`,
  'the maximum of texts in a list': (index) => `{dois(inputs:["${index}" ${times(9_000, () => '""')}]){id}}`,
  'names in a list': (index) =>
    `{dois(inputs:[${times(3_000, (i) => `"10.1000/abcdef${i}.${index}"`)}]){id}}`,
  'block strings': (index) => `{${times(700, (i) => `a${i}:doi(input:"""a${i}x${index}""") {id}`)}}`,
  'inline fragments': (index) => doi(`id ${times(1_500, (i) => `...{a${i}x${index}:id}`)}`),
  'objects in objects': (index) => doi(times(700, (i) => `a${i}x${index}:record{values{index}}`)),
  'values of each type': (index) =>
    doi(times(200, (i) => `a${i}x${index}:record{values{data{format ...on HandleStringData{value}}}}`)),
  'a fragment in many places': (index) =>
    `{${times(440, (i) => `a${i}:doi(input:"a"){...f}`)}}fragment f on DOI{${times(11, (i) => `b${i}x${index}:id`)}}`,
  'two fragments with equal fields': (index) =>
    `{${times(40, (i) => `a${i}:doi(input:"a"){...f ...g}`)}}${times(2, (f) => `fragment ${'fg'[f]} on DOI{${times(100, (i) => `b${i}x${index}:id`)}}`)}`,
  'skipped fields': (index) => doi(`id ${times(900, (i) => `a${i}x${index}:name@skip(if:true)`)}`),
  'fields that are included': (index) =>
    `query($y:Boolean!)${doi(times(900, (i) => `a${i}x${index}:name@include(if:$y)`))}`,
  'many operations': (index) => times(200, (i) => `query q${i}x${index}{doi(input:"10.1/1"){id}}`),
  'many operations with one fragment': (index) =>
    `${times(200, (i) => `query q${i}{doi(input:"1"){...f}}`)}fragment f on DOI{${times(40, (i) => `b${i}x${index}:url(encoding:RECOMMENDED)`)}}`,
  'many combinations of conditions': (index) =>
    `query($b0:Boolean! $b1:Boolean! $b2:Boolean!){doi(input:"10.1/1"){${times(3, (i) => `c${i}:name@include(if:$b${i})`)} ${times(200, (i) => `a${i}x${index}:url(encoding:RECOMMENDED)`)}}}`,
};

/** The documents of a kind exceed the limit of memory, or are enough to measure a short document. */
const CHARACTERS = 150_000;
const DOCUMENTS = 1_000;
const NO_VARIABLES = [{}];
const VARIABLES = Array.from({ length: 8 }, (_, n) => ({
  y: true,
  e: 'RECOMMENDED',
  ...Object.fromEntries([0, 1, 2].map((bit) => [`b${bit}`, ((n >> bit) & 1) === 1])),
}));

function heap(): number {
  global.gc?.();
  global.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Plans every object, like an execution that reaches all objects. */
function planAll({ list }: PlannedFields): void {
  for (const { shape } of list) planShape(shape);
}

function planShape(shape: Shape): void {
  if (shape.kind === 'list') planShape(shape.item);
  if (shape.kind === 'object') planAll(shape.fields());
  if (shape.kind !== 'abstract') return;
  for (const type of servedSchema.getPossibleTypes(shape.type)) planAll(shape.fieldsOf(type));
}

function look(operations: ReturnType<typeof createOperations>, text: string): void {
  try {
    const prepared = operations.prepare(text);
    for (const node of prepared.document.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION) continue;
      const operation = prepared.operation(node.name?.value ?? null);
      for (const variables of text.includes('$') ? VARIABLES : NO_VARIABLES) {
        const { price, plan } = operation.withVariables(variables);
        priceIn(price, { number: 1, variables, valuesByReader: [], variableReads: 0 });
        const { root } = plan();
        planAll(root);
        for (const field of root.list)
          field.arguments.valuesIn({ number: 1, variables, valuesByReader: [], variableReads: 0 });
      }
    }
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
  }
}

const measured = Object.entries(KINDS).map(([kind, textOf]) => {
  // Makes the objects that all documents share before the measurement.
  look(createOperations(10_000, 16_000_000), textOf(-1));
  const operations = createOperations(10_000, 16_000_000);
  const before = heap();
  let maxCountedBytes = 0;
  for (let index = 0; index < DOCUMENTS && index * textOf(0).length < CHARACTERS; index += 1) {
    look(operations, textOf(index));
    // Stops when the gateway has dropped the first document.
    if (operations.rememberedBytes < maxCountedBytes) break;
    maxCountedBytes = operations.rememberedBytes;
  }
  const heapBytes = heap() - before;
  return { kind, heapBytes, countedBytes: operations.rememberedBytes, maxCountedBytes };
});

process.stdout.write(JSON.stringify(measured));
