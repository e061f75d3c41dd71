import { EventLoopBudget } from "./event-loop-budget.ts";

/** The milliseconds that work which nobody waits for at once may take of an iteration of the event loop. */
const SHARE_MS = 2;

/** Of all such work together, so that calls have most of each iteration however much of it there is. */
const share = new EventLoopBudget(SHARE_MS);

/** Lets calls go first before a piece of work. Undefined where it may begin at once. */
export function behindCalls(): Promise<void> | undefined {
  return share.acquire();
}

/** Maps a list item by item, each behind calls. */
export async function mapBehindCalls<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    const turn = behindCalls();
    if (turn !== undefined) await turn;
    results.push(map(item, index));
  }
  return results;
}
