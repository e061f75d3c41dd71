/** Returns the address of a path below a base URL, which may end in slashes. */
export function joinUrl(baseUrl: string, path: string): URL {
  return new URL(baseUrl.replace(/(?<!\/)\/+$/, "") + path);
}
