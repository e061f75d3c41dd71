import { useReducedMotion } from "@mantine/hooks";
import { type RefObject, useEffect, useState } from "react";

/** The part of the window from its top that a step is kept in. */
const LOWEST = 0.8;
const GAP_PX = 8;

interface Followed {
  /** The list of steps; each has its number as `data-step`. */
  readonly list: RefObject<HTMLElement | null>;
  /** The step to be seen; undefined before a run is played. */
  readonly number: number | undefined;
  readonly isPlaying: boolean;
}

/**
 * Scrolls to the step that plays, below the player, until a person scrolls elsewhere. Returns how to follow again;
 * undefined while it follows.
 */
export function useFollowStep({ list, number, isPlaying }: Followed): (() => void) | undefined {
  const [isFollowing, setIsFollowing] = useState(true);
  const isCalm = useReducedMotion();
  useEffect(() => {
    if (isFollowing && number !== undefined) scrollTo(list.current, { number, isCalm });
  }, [list, number, isFollowing, isCalm]);
  useEffect(() => {
    if (!isPlaying) return;
    const leave = ({ target }: Event) => {
      if (target instanceof Element && target.closest(".attune-player") === null) setIsFollowing(false);
    };
    window.addEventListener("wheel", leave, { passive: true });
    window.addEventListener("touchmove", leave, { passive: true });
    return () => {
      window.removeEventListener("wheel", leave);
      window.removeEventListener("touchmove", leave);
      setIsFollowing(true);
    };
  }, [isPlaying]);
  return isFollowing ? undefined : () => setIsFollowing(true);
}

function scrollTo(list: HTMLElement | null, { number, isCalm }: { number: number; isCalm: boolean }): void {
  const row = list?.querySelector(`[data-step="${number}"]`);
  const player = document.querySelector(".attune-player");
  if (!row || !player) return;
  const { top, bottom } = row.getBoundingClientRect();
  const firstPx = Number.parseFloat(getComputedStyle(player).top) + player.getBoundingClientRect().height + GAP_PX;
  if (top >= firstPx && bottom <= window.innerHeight * LOWEST) return;
  window.scrollBy({ top: top - firstPx, behavior: isCalm ? "auto" : "smooth" });
}
