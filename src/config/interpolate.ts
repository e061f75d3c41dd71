/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a file that a reference names. Throws an error with a `code` where it cannot. */
export type ReadReferenced = (file: string) => string;

/** A text with its references replaced, or what is wrong with them. */
type Interpolated =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unset"; readonly variable: string }
  | { readonly kind: "unreadable"; readonly file: string; readonly code: string }
  | { readonly kind: "malformed" };

/** `$${` is a plain `${`; anything else that begins with `${` is a reference, or meant to be one. */
const REFERENCE =
  /\$\$\{|\$\{(?:(?:(?:env:)?(?<variable>[A-Za-z_][A-Za-z0-9_]*)|file:(?<file>(?:(?!:-)[^{}])+))(?::-(?<fallback>[^}]*))?\})?/g;

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${file:/path}` by the variable and by the content of the file without the line
 * end behind it. With `:-default` in them, as in a shell, the default also stands in for what is empty.
 */
export function interpolate(text: string, environment: Environment, readReferenced: ReadReferenced): Interpolated {
  let written = "";
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const { variable, file, fallback } = match.groups ?? {};
    const [reference] = match;
    written += text.slice(end, match.index);
    end = match.index + reference.length;
    if (reference === "$${") {
      written += "${";
      continue;
    }
    if (variable === undefined && file === undefined) return { kind: "malformed" };
    const found = file === undefined ? findVariable(variable ?? "", environment) : findFile(file, readReferenced);
    const isMissing = found.kind !== "text" || found.text === "";
    if (isMissing && fallback !== undefined) written += fallback;
    else if (found.kind === "text") written += found.text;
    else return found;
  }
  return { kind: "text", text: written + text.slice(end) };
}

function findVariable(variable: string, environment: Environment): Interpolated {
  const text = environment[variable];
  return text === undefined ? { kind: "unset", variable } : { kind: "text", text };
}

function findFile(file: string, readReferenced: ReadReferenced): Interpolated {
  try {
    return { kind: "text", text: readReferenced(file).replace(/\r?\n$/, "") };
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "an error";
    return { kind: "unreadable", file, code };
  }
}
