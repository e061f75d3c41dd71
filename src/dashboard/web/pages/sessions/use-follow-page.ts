import { useEffect } from "react";
import { followPage } from "./follow-page.ts";
import { type PlayedCall, timeAt } from "./playback.ts";
import type { Playback } from "./use-playback.ts";
import { PAGE_SIZE, useUpcoming } from "./use-session-run.ts";

/** Pages that play within this time are read before. */
const AHEAD_S = 4;

interface Followed {
  readonly sessionId: string;
  readonly calls: readonly PlayedCall[];
  readonly playback: Playback;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

/** Shows the page of what plays, or of the place that a person moved to, and reads the next one before it is needed. */
export function useFollowPage({ sessionId, calls, playback, offset, onOffset }: Followed): void {
  const { timeMs, placeMs, stretches, factor, isPlaying } = playback;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that a person chose stays until time goes on
  useEffect(() => {
    if (timeMs === undefined) return;
    const next = followPage(calls, { timeMs, offset, pageSize: PAGE_SIZE });
    if (next !== offset) onOffset(next);
  }, [timeMs]);
  const soonMs = isPlaying ? timeAt(stretches, placeMs + AHEAD_S * 1000 * factor) : undefined;
  const soon = soonMs === undefined ? offset : followPage(calls, { timeMs: soonMs, offset, pageSize: PAGE_SIZE });
  useUpcoming(sessionId, soon, soon !== offset);
}
