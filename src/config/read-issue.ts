import type { z } from "zod";
import type { Path } from "./mistake.ts";

/** A mistake in a value, before its place in the text is known. */
interface Finding {
  readonly path: Path;
  readonly message: string;
  readonly at?: "key";
}

/** Returns the mistakes that an issue of a schema stands for; `value` is what the schema was given. */
export function readIssue(issue: z.core.$ZodIssue, value: unknown): Finding[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return { path, message: explainMoved(path) ?? issue.message, at: "key" };
    });
  }
  if (issue.code === "invalid_union") {
    // Of a map that is of one of the forms, its members are wrong.
    const inner = issue.errors.find((form) =>
      form.some(({ code, path }) => code === "unrecognized_keys" || path.length > 0),
    );
    if (inner !== undefined)
      return inner.flatMap((each) => readIssue({ ...each, path: [...issue.path, ...each.path] }, value));
  }
  if (issue.code === "invalid_key") {
    return [{ path: issue.path, message: issue.issues[0]?.message ?? issue.message, at: "key" }];
  }
  return [{ path: issue.path, message: isMissing(issue.path, value) ? sayMissing(issue.message) : issue.message }];
}

/** Members of upstreams that are members of their profiles now. */
const MOVED: readonly PropertyKey[] = ["cacheBreakpoints", "cacheKeys", "reasoningMember"];

function explainMoved([section, , key = "", ...rest]: Path): string | undefined {
  if (section !== "upstreams" || rest.length > 0 || !MOVED.includes(key)) return undefined;
  return `is a member of profile now: write profile: { ${String(key)}: ... }`;
}

function isMissing(path: Path, value: unknown): boolean {
  return (
    path.length > 0 &&
    path.reduce((inner, key) => (inner as Readonly<Record<Path[number], unknown>>)?.[key], value) === undefined
  );
}

function sayMissing(message: string): string {
  return message.startsWith("must ") ? `is missing: it ${message}` : `is missing: ${message}`;
}
