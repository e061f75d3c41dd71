import type { z } from "zod";
import type { Path } from "./mistake.ts";

/** A mistake in a value, before its place in the text is known. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
  readonly at?: "key";
}

/** Returns the mistakes that an issue of a schema stands for. */
export function readIssue(issue: z.core.$ZodIssue): Finding[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: issue.message, at: "key" }));
  }
  if (issue.code === "invalid_union") {
    // Of a map that is of one of the forms, its members are wrong.
    const inner = issue.errors.find((form) =>
      form.some(({ code, path }) => code === "unrecognized_keys" || path.length > 0),
    );
    if (inner !== undefined)
      return inner.flatMap((each) => readIssue({ ...each, path: [...issue.path, ...each.path] }));
  }
  if (issue.code === "invalid_key") {
    return [{ path: issue.path, message: issue.issues[0]?.message ?? issue.message, at: "key" }];
  }
  return [{ path: issue.path, message: issue.message }];
}
