// Processor time, which other processes of a busy machine do not change.

/** Milliseconds of processor time of this process while `work` runs, with the time of the garbage collector. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The shortest of three runs, because the garbage collector can add hundreds of milliseconds to a run. */
export async function leastCpuMsOf(work: (run: number) => unknown): Promise<number> {
  const took: number[] = [];
  for (let run = 0; run < 3; run += 1) took.push(await cpuMsOf(() => work(run)));
  return Math.min(...took);
}
