import { EventLoopBudget } from "./event-loop-budget.ts";

/** Items after which other work may run. */
const ITEMS = 64;
/** The milliseconds that long lists may take of one iteration of the event loop. */
const SHARE_MS = 10;

/** Of all long lists together: the parts of several in one iteration of the event loop would hold it for the sum. */
const share = new EventLoopBudget(SHARE_MS);

/**
 * Lets other work run before a part of a long list. Undefined where nobody has waited for long: that costs
 * nothing.
 */
export function beforePart(): Promise<void> | undefined {
  return share.acquire();
}

/** Maps a list, and lets other work run after each 64 items: a short list is mapped at once. */
export async function mapInBatches<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % ITEMS === 0) await beforePart();
    results.push(map(item, index));
  }
  return results;
}
