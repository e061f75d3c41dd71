import { latestAt, type PlayedCall, stateAt } from "./playback.ts";

/** Calls to come that keep a page in sight: subagents at once are on pages of their own, between which none jumps. */
const NEXT_CALLS = 4;

interface PlayedPage {
  readonly timeMs: number;
  /** Lines before those that are shown. */
  readonly offset: number;
  readonly pageSize: number;
}

/**
 * Returns the lines before the page that shows what happens at a time: the page that is shown, while one of its calls
 * is under way or begins soon, else that of the call that began last.
 */
export function followPage(calls: readonly PlayedCall[], { timeMs, offset, pageSize }: PlayedPage): number {
  const isShown = ({ line }: PlayedCall) => line >= offset && line < offset + pageSize;
  const latest = latestAt(calls, timeMs);
  if (latest === undefined || isShown(latest)) return offset;
  const begun = calls.findLastIndex(({ startMs }) => startMs <= timeMs) + 1;
  const near = calls.filter(
    (call, at) => stateAt(call, timeMs) === "under way" || (at >= begun && at < begun + NEXT_CALLS),
  );
  return near.some(isShown) ? offset : findPage(latest, pageSize);
}

/** Returns the lines before the page that a call is on. */
export function findPage({ line }: Pick<PlayedCall, "line">, pageSize: number): number {
  return Math.floor(line / pageSize) * pageSize;
}
