import type { ParsedHttpUpstream, PLATFORMS } from "./upstream-schema.ts";

/** A cloud that serves a format in a way of its own. */
export type Platform = (typeof PLATFORMS)[number];

/** The way to an upstream, and who calls it. */
export interface ConnectionConfig extends Pick<ParsedHttpUpstream, "auth" | "apiVersion" | "proxy" | "queue" | "tls"> {
  /** The platform that serves the Messages format in a way of its own; undefined for Anthropic's. */
  readonly platform?: Platform | undefined;
}
