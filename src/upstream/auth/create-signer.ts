import type { AuthConfig } from "../../config/auth-config.ts";
import { createAwsSigner } from "./aws.ts";
import { createEntraTokens } from "./azure.ts";
import type { Environment } from "./environment.ts";
import { createGoogleTokens } from "./google.ts";
import { createBearerSigner, type RequestSigner } from "./request-signer.ts";

/** An upstream, as far as its signer is made of it. */
interface SignedUpstream {
  readonly auth?: AuthConfig | undefined;
  readonly baseUrl: string;
}

/** Creates what signs the requests of an upstream; undefined where its key goes into a header. */
export function createSigner({ auth, baseUrl }: SignedUpstream, environment: Environment): RequestSigner | undefined {
  switch (auth?.type) {
    case undefined:
    case "header":
      return undefined;
    case "aws":
      return createAwsSigner(auth, baseUrl, environment);
    case "azure":
      return createBearerSigner(createEntraTokens(auth, environment));
    case "google":
      return createBearerSigner(createGoogleTokens(auth, environment));
  }
}
