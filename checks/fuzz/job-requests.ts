// Uploads of files of names to /jobs, and requests for the jobs that the uploads create.

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { damaged, spellings, weighted, wordFrom, words } from './arbitraries.ts';
import { encodeAnything, type FuzzRequest, headers, wholeRequest } from './whole-request.ts';

/** A placeholder for the id of the job that this case creates. It has the same length as a real id. */
export const CASE_JOB_ID = 'id-of-the-job-of-a-case_';

const cells = weighted(
  [8, spellings],
  [2, fc.constantFrom(...words('=cmd|x!A0 @SUM(1) " "" a,b a;b'), 'a\tb', 'a\nb', '\u0000', '\u202e', '')],
  [1, fc.constantFrom('x'.repeat(300_000), '10.5555/'.repeat(2_000))],
);
const quoted = (cell: string, at: number): string =>
  at % 3 === 0 ? cell : `"${cell.replaceAll('"', '""')}"`;
const row = (columns: readonly string[], separator: string): string => columns.map(quoted).join(separator);

const COLUMNS = ['doi', 'DOI', 'name', 'title', '', 'error', '__proto__', 'a\nb'];
const tables = fc
  .tuple(
    fc.constantFrom(',', ';', '\t'),
    fc.array(fc.constantFrom(...COLUMNS), { minLength: 1, maxLength: 4 }),
    fc.array(fc.array(cells, { maxLength: 4 }), { maxLength: 12 }),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([separator, head, rows, end]) =>
    [row(head, separator), ...rows.map((columns) => row(columns, separator)), ''].join(end),
  );
const lines = fc.array(spellings, { maxLength: 30 }).map((inputs) => inputs.join('\n'));
const object = weighted([1, spellings.map((doi) => ({ doi }))], [1, fc.jsonValue()]);
const objects = fc
  .array(object, { maxLength: 12 })
  .map((rows) => rows.map((one) => JSON.stringify(one)).join('\n'));
/** Many rows that repeat a few names. */
const manyRows = fc
  .tuple(fc.nat(1_900), fc.constantFrom(1_001, 2_500))
  .map(([from, count]) => Array.from({ length: count }, (_, n) => `10.5555/f${from + (n % 40)}`).join('\n'));
/** Small files that could need much memory or make a large result. */
const expensive = fc.constantFrom(
  `${','.repeat(100_000)}\n${'x\n'.repeat(3_000)}`,
  `{${Array.from({ length: 9_000 }, (_, n) => `"k${n}":1`).join()}}\n${'{}\n'.repeat(2_000)}`,
  '\n'.repeat(300_000),
  `"${'x\n'.repeat(50_000)}`,
);

const texts = weighted(
  [6, tables],
  [3, lines],
  [3, objects],
  [3, damaged(tables)],
  [1, manyRows],
  [1, expensive],
);
const files: fc.Arbitrary<string | Buffer> = weighted(
  [12, texts],
  [1, texts.map((text) => `\ufeff${text}`)],
  [1, texts.map((text) => Buffer.from(`\ufeff${text}`, 'utf16le'))],
  [1, texts.map((text) => gzipSync(text))],
  [1, fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))],
);

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  column: ['doi', '1', '99', 'é', '"', '__proto__', ''],
  fields: [...words('name,url name,exists,url exists urn,warning agency ,'), '', 'nothing', 'constructor'],
  input: ['csv', 'tsv', 'jsonl', 'lines', 'xml'],
  format: ['csv', 'jsonl', 'pdf'],
  header: ['no', 'yes', ''],
  excel: ['', 'no', 'maybe'],
  prefix: ['p_', '"', '\n', 'x'.repeat(300)],
  form: ['name', 'URL', 'nothing'],
  nothing: ['1'],
};
const parameters = fc
  .constantFrom(...Object.entries(PARAMETERS))
  .chain(([name, values]) => fc.constantFrom(...values).map((value) => `${name}=${encodeAnything(value)}`));
const queries = fc
  .array(parameters, { maxLength: 3 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));

const rarely = <Value>(usual: Value, others: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  weighted([8, fc.constant(usual)], [1, others]);
const jobHeaders = rarely<Record<string, string>>(
  { 'x-doi-gateway': 'jobs' },
  fc.constantFrom<Record<string, string>>({}, { 'x-doi-gateway': 'yes' }),
);
const TYPES = words('text/csv text/tab-separated-values application/x-ndjson multipart/form-data;boundary=x');
const types = fc.constantFrom<Record<string, string>>(
  ...[{}, {}, ...TYPES.map((type) => ({ 'content-type': type }))],
  { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
);
const anyHeaders = rarely<Record<string, string>>({}, headers);

export const uploads: fc.Arbitrary<FuzzRequest> = fc
  .tuple(queries, files, jobHeaders, types, anyHeaders)
  .map(([query, file, header, type, extraHeaders]) =>
    wholeRequest('POST', `/jobs${query}`, { ...extraHeaders, ...type, ...header }, file),
  );

const IDS = [
  ...Array.from({ length: 12 }, () => CASE_JOB_ID),
  'A'.repeat(24),
  ...words('.. %2e%2e ..%2f..%2fetc%2fpasswd ../jobs'),
  ...[`${CASE_JOB_ID}%00`, '', 'x'.repeat(5_000), '__proto__'],
];
const PATH_ENDINGS = [
  ...['', '', ''],
  ...words('/result /result /result / /result/ /../result /manifest.json ?x'),
];
const RANGES = words(
  'bytes=0-0 bytes=5- bytes=-5 bytes=-0 bytes=9-1 bytes=0-1,3-4 bytes=999999999999999999999- bytes=99999- lines=1-2 bytes=a-b',
);
const ranged = fc
  .tuple(
    fc.constantFrom(...RANGES, ''),
    fc.constantFrom<Record<string, string>>({}, { 'if-range': '"x"', accept: 'text/event-stream' }),
  )
  .map(([range, others]): Record<string, string> => ({ range, ...others }));
const maybeRanged = weighted([1, fc.constant<Record<string, string>>({})], [2, ranged]);

export const jobRequests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    wordFrom('GET GET GET GET HEAD DELETE POST PUT OPTIONS'),
    fc.constantFrom(...IDS),
    fc.constantFrom(...PATH_ENDINGS),
    maybeRanged,
    jobHeaders,
    anyHeaders,
  )
  .map(([method, id, ending, range, header, extraHeaders]) =>
    wholeRequest(method, `/jobs/${id}${ending}`, { ...extraHeaders, ...range, ...header }),
  )
  .map(asBytesIfStream);

/**
 * A stream of events stays open until its job ends. As `bytes`, the client closes the connection after a while, like a
 * page that the user closes.
 */
function asBytesIfStream(request: FuzzRequest): FuzzRequest {
  return /^accept: text\/event-stream/im.test(request.bytes) ? { ...request, kind: 'bytes' } : request;
}

export const jobPages: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    wordFrom('GET HEAD OPTIONS PUT DELETE'),
    wordFrom('/jobs /jobs?x /jobs-files/ /jobs-files/x/jobs.js /jobs-files/../jobs.css'),
    headers,
  )
  .map(([method, target, extraHeaders]) => wholeRequest(method, target, extraHeaders));
