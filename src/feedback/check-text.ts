import { EventError } from "./event-error.ts";

/** Checks that both database engines can hold a text as it is; `place` is asked for where it cannot. Throws EventError. */
export function checkText(text: string, place: () => string): string {
  if (text.includes("\0")) throw EventError.at(place(), "must not hold the character U+0000");
  if (!text.isWellFormed()) throw EventError.at(place(), "holds half of a surrogate pair, which is no character");
  return text;
}
