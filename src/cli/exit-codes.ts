// The exit codes of `doi`. What 0 and 1 mean beyond this, each command says.

export const FINE = 0;
/** An answer, and not the one that was hoped for: a name is absent, two names are not one. */
export const OTHERWISE = 1;
/** The call cannot be understood, or a file cannot be read. */
export const USAGE = 2;
/** Some of it could not be asked: nothing follows from that. */
export const COULD_NOT_ASK = 3;
/** A fault of `doi` itself (EX_SOFTWARE of sysexits.h), which must not look like an answer. */
export const FAULT = 70;
/** Nobody reads the output any more: as of a program that ends by SIGPIPE. */
export const OUTPUT_CLOSED = 141;
