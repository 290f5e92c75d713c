// A property that fails has killed its mutant: to look for a smaller example would take so long that it counts as
// timed out.

import fc from 'fast-check';

// The same values in every run, so that only the mutant can make a law fail.
fc.configureGlobal({ seed: 1, endOnFailure: true });
