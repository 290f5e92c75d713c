export const SUCCESS = 0;

/** A negative answer: a name is absent, or two names differ. */
export const NEGATIVE_ANSWER = 1;

/** The call is wrong, or a file cannot be read. */
export const WRONG_CALL = 2;

/** Some look-ups failed. */
export const LOOK_UP_FAILED = 3;

/** A bug in `doi`. The code is EX_SOFTWARE of sysexits.h, so that it does not look like an answer. */
export const INTERNAL_FAULT = 70;

/** The program that reads the output has closed the output. Shells use the same code after SIGPIPE. */
export const OUTPUT_CLOSED = 141;
