// The gateway of `npm run dev`: bundles the scripts of the pages at each start.

import { bundlePages } from './bundle-pages.ts';

await bundlePages();
await import('../src/main.ts');
