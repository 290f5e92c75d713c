// Builds the directory that the configuration names: the embedded directory, or a DOI proxy with caches.

import type { Config } from '../config.ts';
import { SOURCE_VARIABLES } from '../config-variables/source-variables.ts';
import { DirectoryFileError } from '../directory/directory-file.ts';
import { createEmbeddedDirectory } from '../directory/embedded.ts';
import type { Readiness } from '../http/ops/ops-pages.ts';
import type { LiveSourceParts, Source } from './live-directory.ts';

export const NO_CACHE: Readiness['cache'] = () => ({ entries: 0, shared: 'off' });

/** Rejects with a DirectoryFileError if a file of the embedded directory cannot be used. */
export async function createSource(config: Config, parts: LiveSourceParts): Promise<Source> {
  const { DOI_DIRECTORY_URL: baseUrls } = config;
  if (baseUrls === null) {
    const directory = await createEmbeddedDirectory({
      recordsFile: config.DOI_DIRECTORY_FILE,
      agenciesFile: config.DOI_AGENCIES_FILE,
      isSample: config.DOI_DIRECTORY_FILE === SOURCE_VARIABLES.DOI_DIRECTORY_FILE.default,
      metadataFile: config.METADATA ? config.DOI_METADATA_FILE : null,
    }).catch((error: unknown) => {
      throw withVariable(error, config);
    });
    return { directory, cache: NO_CACHE };
  }
  const { createLiveSource } = await import('./live-directory.ts');
  return createLiveSource(config, baseUrls, parts);
}

/** Adds the variable of the file to the message: `DOI_DIRECTORY_FILE: …`. */
function withVariable(error: unknown, config: Config): unknown {
  if (!(error instanceof DirectoryFileError)) return error;
  const variables = ['DOI_DIRECTORY_FILE', 'DOI_AGENCIES_FILE', 'DOI_METADATA_FILE'] as const;
  const variable = variables.find((name) => error.message.startsWith(`${config[name]}:`));
  return variable ? new DirectoryFileError(`${variable}: ${error.message}`, { cause: error }) : error;
}
