// The exit codes of all commands.

export const SUCCESS = 0;

/** A negative answer: a name is absent, or two names differ. */
export const NEGATIVE_ANSWER = 1;

/** The call is wrong, or a file cannot be read. */
export const WRONG_CALL = 2;

/** Some look-ups failed. */
export const LOOK_UP_FAILED = 3;

/** A bug in `doi` (EX_SOFTWARE of sysexits.h). The code must not look like an answer. */
export const INTERNAL_FAULT = 70;

/** The program that reads the output has closed it, as after SIGPIPE. */
export const OUTPUT_CLOSED = 141;
