/** What one warm request of a shape may run at most: calls of functions, distinct functions, KB allocated. */
export interface WorkBound {
  readonly calls: number;
  readonly functions: number;
  readonly kilobytes: number;
}

/**
 * By the name of the shape, for the service on SQLite: what was measured and some 5% more: allocations are sampled, and
 * what runs every so often runs more often for each request where a busy machine takes long for it (3% more calls at a
 * load of 36 on two cores). A change that needs less lowers them.
 */
export const WORK_BOUNDS: Readonly<Record<string, WorkBound>> = {
  unary: { calls: 4480, functions: 1650, kilobytes: 200 },
  "stream of 64 chunks": { calls: 10_750, functions: 1675, kilobytes: 360 },
  "agent's prompt of 32 KB": { calls: 15_300, functions: 1820, kilobytes: 590 },
  "unary in another format": { calls: 4480, functions: 1650, kilobytes: 200 },
};
