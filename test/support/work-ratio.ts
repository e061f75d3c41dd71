import { threadMs } from "./thread-ms.ts";

/** A machine that does much else is given so many tries. */
const TRIES = 8;
/** What takes less than this is not looked at: the clock of a thread is no finer. */
const NOISE_MS = 30;

/** A work of a size, and one that is `factor` times as large. */
export interface ScaledWork {
  readonly small: () => Promise<void>;
  readonly large: () => Promise<void>;
  readonly factor: number;
}

/**
 * Returns how many times as long the larger work takes: `factor` for work that is linear. Tries again, a few times, as
 * long as it is more than `most`.
 */
export async function workRatio(work: ScaledWork, most: number): Promise<number> {
  await work.small();
  let ratio = Number.POSITIVE_INFINITY;
  for (let run = 0; run < TRIES && ratio > most; run++) ratio = Math.min(ratio, await ratioOf(work));
  return ratio;
}

/** How many times as long a work of ten times the size may take that is linear: machines are not as exact as that. */
export const LINEAR = 15;

/** Returns how many times as long a work takes whose size is ten times `size`. */
export function growthOf(work: (size: number) => void, size: number): Promise<number> {
  const of = (times: number) => async () => work(times);
  return workRatio({ small: of(size), large: of(10 * size), factor: 10 }, LINEAR);
}

/** Both sides do the same work if it is linear: so many small ones, and one that is so many times as large. */
async function ratioOf({ small, large, factor }: ScaledWork): Promise<number> {
  const smallMs = await workMs(async () => {
    for (let run = 0; run < factor; run++) await small();
  });
  const largeMs = await workMs(large);
  return (factor * Math.max(largeMs, NOISE_MS)) / Math.max(smallMs, NOISE_MS);
}

async function workMs(work: () => Promise<void>): Promise<number> {
  const before = threadMs();
  await work();
  return threadMs() - before;
}
