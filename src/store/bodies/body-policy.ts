/** The parts of requests and answers that are kept: all, all but their texts, or nothing. */
export const BODY_POLICIES = ["full", "redacted", "none"] as const;

/** One of the three. */
export type BodyPolicy = (typeof BODY_POLICIES)[number];

/** The policy of projects without a setting. */
export const DEFAULT_BODY_POLICY: BodyPolicy = "full";

/** Reads a policy as the database has it. A word that this version does not know keeps nothing. */
export function parseBodyPolicy(text: string): BodyPolicy {
  return BODY_POLICIES.find((known) => known === text) ?? "none";
}
