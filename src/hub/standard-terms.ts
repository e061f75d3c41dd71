/** Words for what costs nothing beside the list price. `auto` is what a request asks for, and no tier. */
const STANDARD: ReadonlySet<string> = new Set([
  ...["", "default", "standard", "standard_only", "auto", "on_demand", "normal"],
  ...["global", "not_available"],
]);

/** Tells whether a tier, speed or region is the standard one, in letters of any size, or no word at all. */
export function isStandardTerm(word: unknown): boolean {
  return typeof word !== "string" || STANDARD.has(word.toLowerCase());
}
