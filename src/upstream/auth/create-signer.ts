import type { AuthConfig } from "../../config/auth-config.ts";
import { createEntraTokens } from "./azure.ts";
import type { Environment } from "./environment.ts";
import { createBearerSigner, type RequestSigner } from "./request-signer.ts";

/** Creates what signs the requests of an upstream; undefined where its key goes into a header. */
export function createSigner(auth: AuthConfig | undefined, environment: Environment): RequestSigner | undefined {
  switch (auth?.type) {
    case undefined:
    case "header":
      return undefined;
    case "azure":
      return createBearerSigner(createEntraTokens(auth, environment));
  }
}
