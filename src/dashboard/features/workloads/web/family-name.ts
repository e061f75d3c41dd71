import { nameText } from "../../../web/parts/name-text.ts";

/** A cluster of a kind that callers do not name: the kind, a number, and the cluster's number. */
const CLUSTER = /^(auto:[^#]+)#\d+\.(\d+)$/;

/**
 * Names a kind of prompts for people: as its callers do, or by its fingerprint, and with the number of the group that
 * it is of.
 */
export function familyName(family: string): string {
  const [, whole, cluster] = CLUSTER.exec(family) ?? [];
  if (whole !== undefined) return `${familyName(whole)}, group ${Number(cluster) + 1}`;
  if (family.startsWith("tag:")) return nameText(family.slice("tag:".length));
  if (family === "auto:plain") return "No instructions, no tools";
  if (family.startsWith("auto:")) return `Unnamed ${nameText(family.slice("auto:".length, "auto:".length + 8))}`;
  return nameText(family);
}
