// README: "Extract, validate and normalize DOIs"; its one function is `extract`, which finds DOIs in a text.

import { extract } from 'identifiers-doi';
import { serve } from './serve.mjs';

await serve({ find: ({ text }) => ({ names: extract(text) }) });
