// A client with Debian's graphql-core for Python reads the schema from the gateway when it connects.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';

/** Debian's own Python: another Python on the path does not have Debian's packages. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('graphql_core.py', import.meta.url));
const run = promisify(execFile);

const isInstalled = await run(PYTHON, ['-c', 'import graphql']).then(
  () => true,
  () => false,
);
const isSkipped = !isInstalled && !process.env['CI'];
if (isSkipped)
  process.stderr.write('skipped: graphql-core: not installed (apt-get install python3-graphql-core)\n');

interface Output {
  readonly locations: Readonly<Record<string, readonly string[]>>;
  readonly errors: readonly string[];
  readonly data: unknown;
}

test.skipIf(isSkipped)(
  'graphql-core builds the schema from the introspection and sends a valid query',
  async () => {
    const directory = createFakeDirectory({ records: { '10.1000/182': [urlValue('https://example.org/')] } });
    const gateway = await startGateway({ directory });
    onTestFinished(gateway.close);
    const query =
      '{ doi(input: "10.1000/182") { name exists } findDois(text: "10.1000/182") { doi { urn } } }';
    const { stdout } = await run(PYTHON, [SCRIPT, `${gateway.url}/graphql`, query]);
    const { locations, errors, data } = JSON.parse(stdout) as Output;
    expect(errors).toEqual([]);
    expect(data).toEqual({
      doi: { name: '10.1000/182', exists: true },
      findDois: [{ doi: { urn: 'urn:doi:10.1000:182' } }],
    });
    expect(locations['deprecated']?.toSorted()).toEqual([
      'ARGUMENT_DEFINITION',
      'ENUM_VALUE',
      'FIELD_DEFINITION',
      'INPUT_FIELD_DEFINITION',
    ]);
  },
);
