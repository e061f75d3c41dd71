/** What is asked for where the policy asks for several answers, by the names that it has for that. */
const SEVERAL: ReadonlyMap<string, string> = new Map([
  ["best,best", "the best model twice"],
  ["best,second", "the two best models"],
  ["best,second,third", "the three best models"],
  ["best,second,third,fourth", "the four best models"],
]);

/** Names for people what a choice may fall on: a model by its name, and several answers by whom they are asked of. */
export function armName(arm: string): string {
  return SEVERAL.get(arm) ?? arm;
}
