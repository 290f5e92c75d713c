/** The gateway cannot be started with these jobs. Its message is for whoever starts it. */
export class JobsStartError extends Error {
  override readonly name = 'JobsStartError';
}
