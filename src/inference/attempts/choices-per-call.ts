import type { Plan } from "../ports.ts";

/** Returns the choices that each call asks for: all, where every upstream that may be asked gives as many, or one. */
export function choicesPerCall({ n }: { readonly n: number }, { strategy }: Pick<Plan, "strategy">): number {
  return n > 1 && strategy.attempts.every(({ upstream: { mostChoices = 1 } }) => mostChoices >= n) ? n : 1;
}
