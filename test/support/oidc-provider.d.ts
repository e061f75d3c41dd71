/** The part of the package that tests use; it comes without types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  /** A provider of OpenID Connect. */
  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    on(event: "backchannel.error", listener: (context: unknown, error: Error) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
