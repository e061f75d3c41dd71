/** First segments of Attune's own paths: below one of them, a path with and one without the base would look alike. */
const OWN = /^\/(?:v1|dashboard|health|healthz|readyz|metrics|openapi\.json|attune\.[^/]*|grpc\.[^/]*)(?:\/|$)/;

/** Segments that need no encoding in addresses, cookies and HTML; the version is added to the address by clients. */
const ALLOWED = /^(?:\/(?!v1$)[\w.~-]+)*$/;

/** Tells whether Attune can be below a path of a host. The root is empty; a path has no slash at its end. */
export function isBasePath(path: string): boolean {
  return ALLOWED.test(path) && !OWN.test(path);
}

/** Returns the path of a public address, without a slash at its end: empty for the root of a host. */
export function readBasePath(publicUrl: string | undefined): string {
  return publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
}

/** Returns a URL without the base path that a proxy left in it; as it is where the proxy has taken it off. */
export function removeBasePath(url: string, basePath: string): string {
  if (!url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || rest.startsWith("?") ? `/${rest}` : url;
}
