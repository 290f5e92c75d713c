// Laws are tried with the same values in every run, so that a run fails for what was changed and for nothing else.
// LAWS_SEED=N tries others: `LAWS_SEED=$RANDOM npm run test:fast`.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['LAWS_SEED'] ?? 1) });
