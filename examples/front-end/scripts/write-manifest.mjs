// Writes generated/persisted-documents.json: the operations of this app by the SHA-256 of their texts, exactly as
// urql sends them. A gateway started with PERSISTED_OPERATIONS=…/persisted-documents.json knows them by these ids.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { stringifyDocument } from '@urql/core';
import { runnerImport } from 'vite';

const { module } = await runnerImport('./src/look-up.ts', { configFile: false, logLevel: 'error' });
const texts = [module.lookUpQuery].map((document) => stringifyDocument(document));
const manifest = Object.fromEntries(
  texts.map((text) => [createHash('sha256').update(text).digest('hex'), text]),
);
writeFileSync(
  new URL('../generated/persisted-documents.json', import.meta.url),
  `${JSON.stringify(manifest, null, 2)}\n`,
);
