/** The texts for arms of several answers, by arm name. */
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
