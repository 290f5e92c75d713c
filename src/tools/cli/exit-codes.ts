// The exit codes of all commands.

export const FINE = 0;

/** A negative answer: a name is absent, or two names differ. */
export const OTHERWISE = 1;

/** The call cannot be understood, or a file cannot be read. */
export const USAGE = 2;

/** Some look-ups failed. */
export const COULD_NOT_ASK = 3;

/** A fault of `doi` itself (EX_SOFTWARE of sysexits.h), which must not look like an answer. */
export const FAULT = 70;

/** The reader of the output has closed it, as after SIGPIPE. */
export const OUTPUT_CLOSED = 141;
