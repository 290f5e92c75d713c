// The package doi-names in Chromium, as modules from a file server without a bundler.

import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectQuiet, useChromium, withoutChromium } from '../../../test/support/chromium.ts';
import { INSTALL_TIMEOUT_MS, PASSED, packLibrary } from '../../../test/support/packed-library.ts';

const suite = 'The package doi-names in a browser';

describe.skipIf(withoutChromium(suite))(suite, () => {
  const open = useChromium();
  let folder = '';
  let server: Server;

  beforeAll(async () => {
    const packed = await packLibrary();
    folder = packed.folder;
    execFileSync('tar', ['-xzf', packed.archive, '-C', folder]);
    await writeFile(join(folder, 'index.html'), '<link rel="icon" href="data:,">');
    server = createServer((request, response) => {
      const file = request.url ?? '/';
      response.setHeader('content-type', file.endsWith('.js') ? 'text/javascript' : 'text/html');
      readFile(join(folder, file)).then(
        (content) => response.end(content),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }, INSTALL_TIMEOUT_MS);

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  test('passes the vectors', async () => {
    const { port } = server.address() as AddressInfo;
    const { page, seen } = await open(`http://127.0.0.1:${port}/index.html`);
    const result = await page.evaluate(`(async () => {
      const library = await import('./package/dist/index.js');
      const { lookalikes } = await import('./package/dist/lookalikes.js');
      const { checkVectors } = await import('./check-vectors.js');
      const vectors = await (await fetch('./vectors.json')).json();
      return checkVectors(library, lookalikes, vectors);
    })()`);
    expect(result).toEqual({ passed: PASSED, failures: [] });
    expectQuiet(seen);
  });
});
