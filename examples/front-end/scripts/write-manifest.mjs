// Writes generated/persisted-documents.json: the operations of this app by the SHA-256 of their texts, exactly as
// urql and <doi-link> send them. A gateway started with PERSISTED_OPERATIONS=…/persisted-documents.json knows them by these ids.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { stringifyDocument } from '@urql/core';
import { runnerImport } from 'vite';

const load = async (path) => (await runnerImport(path, { configFile: false, logLevel: 'error' })).module;
const { lookUpQuery } = await load('./src/look-up.ts');
const { findDoisQuery } = await load('./src/find-dois.ts');
const { titlesQuery } = await load('./src/titles.ts');
const { query } = await load('./src/doi-link/query.ts');
const texts = [
  ...[lookUpQuery, findDoisQuery, titlesQuery].map((document) => stringifyDocument(document)),
  query,
];
const manifest = Object.fromEntries(
  texts.map((text) => [createHash('sha256').update(text).digest('hex'), text]),
);
writeFileSync(
  new URL('../generated/persisted-documents.json', import.meta.url),
  `${JSON.stringify(manifest, null, 2)}\n`,
);
