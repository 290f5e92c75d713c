// What something costs, which other processes of a busy machine do not change.

/** Milliseconds of processor time of this process while something runs, those of its garbage collector too. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
