import type { AuthConfig } from "./auth-config.ts";
import type { PLATFORMS } from "./upstream-schema.ts";

/** A cloud that serves a format in a way of its own. */
export type Platform = (typeof PLATFORMS)[number];

/** The way to an upstream, and who calls it. */
export interface ConnectionConfig {
  /** The credentials of calls, where the key in the format's header is not all. */
  readonly auth?: AuthConfig | undefined;
  /** Version of Azure's dated API; undefined for any other. */
  readonly apiVersion?: string | undefined;
  /** The platform that serves the Messages format in a way of its own; undefined for Anthropic's. */
  readonly platform?: Platform | undefined;
  /** An HTTP proxy on the way to it; may have a password. */
  readonly proxy?: string | undefined;
  /** The calls that it takes at once; no bound if absent. */
  readonly queue?: { readonly concurrentCalls: number; readonly waitMs: number } | undefined;
  /** Trusted authorities, and the certificate of this client, as PEM; its key is a secret. */
  readonly tls?:
    | { readonly ca?: string | undefined; readonly cert?: string | undefined; readonly key?: string | undefined }
    | undefined;
}
