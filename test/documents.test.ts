// The documents are short, and their links and lists are right.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}/${name}`);
const documentsIn = (path: string): string[] =>
  readdirSync(join(root, path))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(path, name));

const DOCUMENTS = [
  ...[
    '.',
    'docs',
    'docs/decisions',
    'checks',
    'checks/corpus',
    'checks/conformance',
    'examples/federation',
    'examples/from-datacite',
    'examples/front-end',
    'test/support',
  ].flatMap(documentsIn),
].filter((path) => path !== 'CHANGELOG.md');

/** The anchors of GitHub: letters, digits and hyphens stay, a space becomes a hyphen. */
function anchorsOf(page: string): string[] {
  const headings = [...page.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link leads to an existing file and heading', () => {
  const broken = DOCUMENTS.flatMap((path) => {
    const links = [...textOf(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
    return links.flatMap(([link, target = '', anchor]) => {
      const file = target === '' ? path : relative(root, join(root, dirname(path), target));
      const exists = existsSync(join(root, file)) && (!anchor || anchorsOf(textOf(file)).includes(anchor));
      return exists ? [] : [`${path}: ${link}`];
    });
  });
  expect(broken).toEqual([]);
});

test('every path in a document exists', () => {
  const missing = DOCUMENTS.flatMap((path) => {
    const named = [...textOf(path).matchAll(/`((?:src|test|bench|conformance|scripts|deploy)\/[\w./-]+)`/g)];
    return named.flatMap(([, file = '']) => (existsSync(join(root, file)) ? [] : [`${path}: ${file}`]));
  });
  expect(missing).toEqual([]);
});

const wordsIn = (text: string): number => text.trim().split(/\s+/).length;

test('README has at most 200 lines and 2,000 words', () => {
  const readme = textOf('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  expect(wordsIn(readme)).toBeLessThanOrEqual(2000);
});

test('the documents together have at most 25,000 words', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...documentsIn('docs'), ...documentsIn('docs/decisions')];
  expect(wordsIn(pages.map(textOf).join('\n'))).toBeLessThanOrEqual(25_000);
});

test('CONTRIBUTING.md lists the folders of src, and no others', () => {
  const cells = [...textOf('CONTRIBUTING.md').matchAll(/^\| (`src\/[^|]*) \|/gm)].map(
    ([, cell = '']) => cell,
  );
  const listed = cells.flatMap((cell) => cell.replaceAll('`', '').split(', '));
  const isDivided = (path: string): boolean => ['src/http', 'src/tools'].includes(path);
  const folders = foldersIn('src').flatMap((path) => (isDivided(path) ? foldersIn(path) : [path]));
  expect(new Set(listed.filter((path) => !path.endsWith('.ts')))).toEqual(new Set(folders));
});

test('decision 1 names every dependency of the gateway', () => {
  const page = textOf('docs/decisions/0001-stack-and-packages.md');
  const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
  const words = new Set(page.match(/[\w@/-]+/g));
  const lacking = Object.keys(dependencies).filter(
    (name) => !words.has(name) && !words.has(name.slice(name.indexOf('/') + 1)),
  );
  expect(lacking).toEqual([]);
});

test('test/support/README.md names each helper', () => {
  const page = textOf('test/support/README.md');
  const helpers = readdirSync(join(root, 'test/support')).filter((name) => /\.[jt]s$/.test(name));
  expect(helpers.filter((name) => !page.includes(name))).toEqual([]);
});
