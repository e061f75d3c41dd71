import type { CallQuota } from "../ports.ts";

/** Counts a call until its work has ended, and whether anything came of it; nothing where nothing limits it. */
export function counted<T>(quota: CallQuota | undefined, work: () => Promise<T>): Promise<T> {
  return quota === undefined ? work() : count(quota, work);
}

async function count<T>(quota: CallQuota, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    quota.end(true);
    return result;
  } catch (thrown) {
    quota.end(false);
    throw thrown;
  }
}
