// Bundles the scripts of the pages before the tests, so that no test depends on an earlier build.

import { bundlePages } from '../../scripts/bundle-pages.ts';

export default async function bundleBeforeTests(): Promise<void> {
  await bundlePages();
}
