/** Redis could not be asked, or did not answer. */
export class QueueError extends Error {
  override readonly name = 'QueueError';
}

/** The same, whose every rejection is a QueueError. */
export function withQueueErrors<Parts extends object>(parts: Parts): Parts {
  const wrapped = Object.entries(parts).map(([name, method]) => [
    name,
    async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await (method as (...args: readonly unknown[]) => unknown)(...args);
      } catch (cause) {
        throw new QueueError('the queue of the jobs does not answer', { cause });
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Parts;
}
