// A property that fails has killed its mutant. The search for a smaller example would end in a timeout.

import fc from 'fast-check';

// The same values in every run, so that only the mutant can make a law fail.
fc.configureGlobal({ seed: 1, endOnFailure: true });
