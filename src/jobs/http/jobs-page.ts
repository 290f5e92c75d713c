// The page at /jobs: upload, progress, download. The gateway reads the files of the page once, from jobs-page/.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeMarkup } from 'doi-names/parts';
import { inspectorFolder } from '../../http/pages/inspector.ts';
import { ownPolicy, pageHeaders } from '../../http/pages/page-headers.ts';
import { readPageScripts } from '../../http/pages/page-scripts.ts';
import { createDocument, createStaticFiles } from '../../http/pages/static-files.ts';
import { DEFAULT_FIELDS, FIELDS, type Field, readFields } from '../../tools/bulk/fields.ts';

const folder = new URL('../../../jobs-page/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

/** @param publicUrl the gateway's URL for clients; null if unknown */
export function createJobsPage(publicUrl: string | null) {
  const texts = new Map([['jobs.css', read('jobs.css')], ...readPageScripts('jobs-page', 'jobs.js')]);
  const hash = createHash('sha256')
    .update([...texts].join('\0'))
    .digest('hex')
    .slice(0, 16);
  const filesFolder = `/jobs-files/${hash}/`;
  // The links are relative, so that browsers can also load the page behind a proxy that adds a path.
  const page = read('index.html')
    .replaceAll('./shared/', `.${inspectorFolder}`)
    .replaceAll(/(?<=(?:href|src)=")\.\/(?=jobs\.)/g, `.${filesFolder}`)
    .replace('<!-- fields -->', () => offeredFields.map(checkbox).join('\n'))
    .replace('THIS-PAGE', () => `${publicUrl ?? 'http://localhost:4000'}/jobs`);
  const headers = pageHeaders(ownPolicy("'none'"), 'Accept, Accept-Encoding');
  return {
    page: createDocument(headers, async () => page),
    /** handles every path below `/jobs-files/` */
    files: createStaticFiles(filesFolder, texts),
  };
}

/** The result has the columns in this order. */
const usualFields = new Set(readFields(DEFAULT_FIELDS));
const offeredFields = [...new Set([...usualFields, ...FIELDS])];

function checkbox(field: Field): string {
  const checked = usualFields.has(field) ? ' checked' : '';
  return `<label><input type="checkbox" name="field" value="${field.name}"${checked}> ${escapeMarkup(field.meaning)}</label>`;
}
