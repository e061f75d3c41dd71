import { useKeys } from "../history/use-keys.ts";
import { latestAt, type PlayedCall } from "./playback.ts";
import type { Playback } from "./use-playback.ts";

/** Has the space bar play and pause, and arrows go to the call before and after; returns the step by a number. */
export function useStepKeys(calls: readonly PlayedCall[], playback: Playback): (by: 1 | -1) => void {
  const { timeMs, isPlaying, play, pause, moveToTime } = playback;
  const step = (by: 1 | -1) => {
    const latest = timeMs === undefined ? undefined : latestAt(calls, timeMs);
    const at = latest === undefined ? 0 : calls.indexOf(latest) + by;
    const next = calls[Math.min(calls.length - 1, Math.max(0, at))];
    if (next !== undefined) moveToTime(next.startMs);
  };
  useKeys({ " ": isPlaying ? pause : play, ArrowLeft: () => step(-1), ArrowRight: () => step(1) });
  return step;
}
