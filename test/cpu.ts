/**
 * Milliseconds of processor time that work takes. For tests of what must not grow out of hand: unlike the
 * clock on the wall, it does not run on while other processes have the machine.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
