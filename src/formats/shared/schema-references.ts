import { isJsonObject, type JsonObject } from "./json.ts";

/** Keywords whose members are schemas by name. */
const MAPS = ["properties", "$defs", "definitions"] as const;

/**
 * Tells whether all references of a reduced schema lead to schemas inside of it, and to none that contains them where
 * it must not contain itself. Each schema and each reference is looked at once; chains of references take no stack.
 */
export function hasValidReferences(
  root: JsonObject,
  { takesRecursion }: { readonly takesRecursion: boolean },
): boolean {
  const states = new Map<JsonObject, "open" | "done">();
  const stack: { readonly schema: JsonObject; readonly isExit: boolean }[] = [{ schema: root, isExit: false }];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { schema, isExit } = entry;
    const state = states.get(schema);
    if (isExit) states.set(schema, "done");
    else if (state === "open" && !takesRecursion) return false;
    else if (state === undefined) {
      states.set(schema, "open");
      stack.push({ schema, isExit: true });
      const target = schema.$ref === undefined ? undefined : resolveReference(root, schema.$ref);
      if (schema.$ref !== undefined && target === undefined) return false;
      for (const child of [...childrenOf(schema), target]) {
        if (isJsonObject(child)) stack.push({ schema: child, isExit: false });
      }
    }
  }
  return true;
}

function childrenOf(schema: JsonObject): unknown[] {
  const named = MAPS.flatMap((keyword) => {
    const map = schema[keyword];
    return isJsonObject(map) ? Object.values(map) : [];
  });
  return [...named, schema.items, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])];
}

/** Returns the schema that a JSON pointer in a fragment names; undefined if there is none. */
function resolveReference(root: JsonObject, reference: unknown): JsonObject | undefined {
  if (typeof reference !== "string" || !/^#(?:\/|$)/.test(reference)) return undefined;
  let found: unknown = root;
  for (const part of reference.split("/").slice(1)) {
    const name = decodePart(part);
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as JsonObject)[name];
  }
  return isJsonObject(found) ? found : undefined;
}

function decodePart(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A lone percent sign stands for itself.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
