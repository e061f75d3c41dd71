/** Returns a name in snake case: expiresAt is expires_at. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns a name in camel case: expires_at, or with another mark expires-at, is expiresAt. */
export function toCamelCase(name: string, mark: "_" | "-" = "_"): string {
  const words = mark === "_" ? /_([a-z])/g : /-([a-z])/g;
  return name.replace(words, (_, letter: string) => letter.toUpperCase());
}

/** Returns a text that begins with a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
