import type { z } from "zod";
import type { Path } from "./mistake.ts";

/** Something that is wrong only together with something else; its path begins at the value that is checked. */
export interface CrossMistake {
  readonly path: Path;
  readonly message: string;
}

/** A parsed value without the members that are wrong by themselves. */
export type Sound<Value> = Value extends Date | string | number | boolean | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly (Sound<Item> | undefined)[]
    : { readonly [Name in keyof Value]?: Sound<Value[Name]> | undefined };

/**
 * Adds a check of members together to a schema. It runs on what is right by itself, so that one mistake hides no other.
 */
export function across<Schema extends z.ZodType>(
  schema: Schema,
  find: (value: Sound<z.output<Schema>>) => readonly CrossMistake[],
): Schema {
  return schema.superRefine(
    (value, context) => {
      const wrong = context.issues.flatMap((issue) => wrongPlace(issue) ?? []);
      const sound = withoutMembers(value, wrong);
      // Nothing is known of the type of a value that is wrong as a whole.
      const mistakes = sound === undefined ? [] : find(sound as Sound<z.output<Schema>>);
      for (const { path, message } of mistakes) {
        if (!isOfWrong(path, wrong)) context.addIssue({ code: "custom", path: [...path], message });
      }
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  );
}

/** Tells whether a value, or its member, would be said to lack what is there and only wrong. */
function isOfWrong([member, ...below]: Path, wrong: readonly Path[]): boolean {
  if (member === undefined) return wrong.length > 0;
  return below.length === 0 && wrong.some((place) => place.length === 1 && place[0] === member);
}

/** Returns undefined for a value that is wrong as a whole. */
function withoutMembers(value: unknown, wrong: readonly Path[]): unknown {
  if (wrong.length === 0) return value;
  const root = { value: structuredClone(value) };
  for (const place of wrong) leaveOut(root, ["value", ...place]);
  return root.value;
}

/** Returns the place whose type is not as the schema says; undefined where the type is right, and so for keys. */
function wrongPlace({ code, continue: hasType, path = [], ...issue }: z.core.$ZodRawIssue): [Path] | undefined {
  if (hasType === true || code === "unrecognized_keys" || code === "invalid_key") return undefined;
  return ["discriminator" in issue ? path.slice(0, -1) : path];
}

function leaveOut(root: object, path: Path): void {
  const parent = path.slice(0, -1).reduce<unknown>((inner, key) => (isMap(inner) ? inner[key] : undefined), root);
  const last = path.at(-1);
  if (isMap(parent) && last !== undefined) parent[last] = undefined;
}

function isMap(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
