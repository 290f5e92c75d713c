// A property that fails has killed its mutant: to look for a smaller example would take so long that it counts as
// timed out.

import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
