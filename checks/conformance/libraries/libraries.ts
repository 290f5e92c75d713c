// The programs that are measured. README.md says why these; each adapter cites what its library promises.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Library {
  readonly name: string;
  readonly origin: 'here' | 'npm' | 'Debian';
  /** of npm or Debian; the adapter cannot start without it */
  readonly package: string;
  /** for the shell */
  readonly command: string;
  /** null if no case is wrong */
  readonly worstFault: Fault | null;
}

export interface Fault {
  /** with an example */
  readonly words: string;
  /** the id of a case that the library fails for this reason */
  readonly shownBy: string;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const ofNpm = (name: string, adapter: string, worstFault: Fault): Library => ({
  name,
  origin: 'npm',
  package: name,
  command: `node '${FOLDER}${adapter}'`,
  worstFault,
});

type Interpreter = 'perl' | 'python3';

const ofDebian = (
  name: string,
  debianPackage: string,
  [interpreter, adapter]: readonly [Interpreter, string],
  worstFault: Fault,
): Library => ({
  name,
  origin: 'Debian',
  package: debianPackage,
  command: `/usr/bin/${interpreter} '${FOLDER}${adapter}'`,
  worstFault,
});

export const OURS: Library = {
  name: 'doi-names (packages/doi-names)',
  origin: 'here',
  package: 'doi-names',
  command: `'${ROOT}node_modules/.bin/tsx' '${FOLDER}ours.ts'`,
  worstFault: null,
};

export const OTHERS: readonly Library[] = [
  ofNpm('@citation-js/plugin-doi', 'citation-js.mjs', {
    words: 'refuses `10.1021/ja973898+`',
    shownBy: 'parse-128',
  }),
  ofNpm('bibtex-tidy', 'bibtex-tidy.mjs', {
    words: '`10.1000/12-3` is `10.1000/123`',
    shownBy: 'equivalence-28',
  }),
  ofNpm('doi-regex', 'doi-regex.mjs', {
    words: 'keeps the stop: `10.1000/182.`',
    shownBy: 'find-1',
  }),
  ofNpm('doi-ts', 'doi-ts.mjs', {
    words: '`Á` is `á`',
    shownBy: 'equivalence-6',
  }),
  ofNpm('doi-utils', 'doi-utils.mjs', {
    words: 'decodes no URL; refuses `<`',
    shownBy: 'parse-11',
  }),
  ofNpm('identifiers-doi', 'identifiers-doi.mjs', {
    words: 'keeps a bracket: `10.1016/0001-8686(92)80001-X)`',
    shownBy: 'find-15',
  }),
  ofDebian(
    'Biblio::Citation::Parser',
    'libbiblio-citation-parser-perl',
    ['perl', 'biblio-citation-parser.pl'],
    { words: 'takes the reference’s rest: `Epub`', shownBy: 'find-226' },
  ),
  ofDebian('bibtexparser', 'python3-bibtexparser', ['python3', 'bibtexparser_doi.py'], {
    words: 'encodes nothing: `456#789`',
    shownBy: 'encode-33',
  }),
  ofDebian('pooch', 'python3-pooch', ['python3', 'pooch_doi.py'], {
    words: 'decodes nothing: `%C3%81`',
    shownBy: 'parse-154',
  }),
  ofDebian('pybtex', 'python3-pybtex', ['python3', 'pybtex_doi.py'], {
    words: 'encodes nothing: `456#789`',
    shownBy: 'encode-33',
  }),
  ofDebian('Text::BibTeX::Validate', 'libtext-bibtex-validate-perl', ['perl', 'text-bibtex-validate.pl'], {
    words: 'keeps queries: `10.1000/1?noredirect`',
    shownBy: 'parse-17',
  }),
];

/** Null: it is not installed. */
export function installedVersion({ origin, package: name }: Library): string | null {
  if (origin === 'Debian') {
    const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Version}', name], {
      encoding: 'utf8',
    });
    return status === 0 && stdout !== '' ? stdout.replace(/^\d+:|[-+~].*$/g, '') : null;
  }
  const manifest = origin === 'here' ? `${ROOT}package.json` : `${FOLDER}node_modules/${name}/package.json`;
  return existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
    : null;
}

/** Installs the libraries from npm if one of them is missing. */
export function installFromNpm(): void {
  const isComplete = OTHERS.every(
    (library) => library.origin !== 'npm' || installedVersion(library) !== null,
  );
  if (isComplete) return;
  console.log('Installing the libraries from npm …');
  const options = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync('npm', options, { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci failed in ${FOLDER}`);
}
