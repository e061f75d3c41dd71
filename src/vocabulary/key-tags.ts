import { tagProblem } from "./call-names.ts";

/** Most tags of a call's own, and as many of its key. */
export const MAX_TAGS = 16;

/** A tag in a list of them. */
export interface Tag {
  readonly name: string;
  readonly value: string;
}

/** Returns why a key cannot have the tags of a list, by their places in it. */
export function findTagProblems(tags: readonly Tag[]): ReadonlyMap<number, string> {
  const seen = new Set<string>();
  const problems = new Map<number, string>();
  for (const [at, { name, value }] of tags.entries()) {
    const problem = tagProblem(name, value) ?? (seen.has(name) ? "has the name of another tag" : undefined);
    if (problem !== undefined) problems.set(at, problem);
    seen.add(name);
  }
  return problems;
}
