import { nameText } from "../../parts/name-text.ts";

/** Names a kind of prompts for people: as its callers do, or by its fingerprint. */
export function familyName(family: string): string {
  if (family.startsWith("tag:")) return nameText(family.slice("tag:".length));
  if (family === "auto:plain") return "No instructions, no tools";
  if (family.startsWith("auto:")) return `Unnamed ${nameText(family.slice("auto:".length, "auto:".length + 8))}`;
  return nameText(family);
}
