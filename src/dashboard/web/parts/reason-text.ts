/** Reasons that read better in other words than their names. */
const WORDS: Readonly<Record<string, string>> = {
  "": "no reason recorded",
  limit: "limit reached",
  budget: "budget spent",
};

/** Writes why a call failed or was refused: upstream_overloaded is "upstream overloaded". */
export function reasonText(reason: string): string {
  return WORDS[reason] ?? reason.replaceAll("_", " ");
}
