/** Returns an address with its port as URLs have it: IPv6 stands in brackets (RFC 3986, 3.2.2). */
export function formatAddress(host: string, port: number | string): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
