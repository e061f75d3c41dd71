import type { Config } from "../config/config.ts";

/**
 * Returns the address at which people reach the service of a configuration. An address that stands for all of a machine
 * leads nowhere: people on it reach it as localhost.
 */
export function configuredUrl({ server: { publicUrl, host, port } }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
