/** Milliseconds of the processor that this thread has had: what other processes take of the machine does not count. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
