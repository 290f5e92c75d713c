// Property tests use the same values in every run, so that a run fails only because of a change.
// LAWS_SEED=N uses other values: `LAWS_SEED=$RANDOM npm run test:fast`.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['LAWS_SEED'] ?? 1) });
