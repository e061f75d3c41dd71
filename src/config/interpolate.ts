/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with its references replaced, or what is wrong with them. */
type Interpolated =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unset"; readonly variable: string }
  | { readonly kind: "malformed" };

/** `$${` is a plain `${`; anything else that begins with `${` is a reference, or meant to be one. */
const REFERENCE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})?/g;

/** Replaces `${NAME}` and `${NAME:-default}`; as in a shell, the default also stands in for an empty variable. */
export function interpolate(text: string, environment: Environment): Interpolated {
  let written = "";
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [reference, variable, fallback] = match;
    written += text.slice(end, match.index);
    end = match.index + reference.length;
    if (reference === "$${") {
      written += "${";
      continue;
    }
    if (variable === undefined) return { kind: "malformed" };
    const value = fallback === undefined ? environment[variable] : environment[variable] || fallback;
    if (value === undefined) return { kind: "unset", variable };
    written += value;
  }
  return { kind: "text", text: written + text.slice(end) };
}
