import type { AuthConfig } from "../../config/auth-config.ts";
import { createDispatcher, type NetworkPath } from "../connector.ts";
import { createAwsSigner } from "./aws.ts";
import { createEntraTokens } from "./azure.ts";
import type { Environment } from "./environment.ts";
import { createGoogleTokens } from "./google.ts";
import { createBearerSigner, type RequestSigner } from "./request-signer.ts";

/** An upstream, as far as its signer is made of it. */
interface SignedUpstream extends Pick<NetworkPath, "proxy"> {
  readonly auth?: AuthConfig | undefined;
  readonly baseUrl: string;
}

/** The time limit of a connection to a token service, in milliseconds. */
const CONNECT_MS = 5000;

/** Creates what signs the requests of an upstream; undefined where its key goes into a header. */
export function createSigner(
  { auth, baseUrl, proxy }: SignedUpstream,
  environment: Environment,
): RequestSigner | undefined {
  if (auth === undefined || auth.type === "header") return undefined;
  // Certificates are of the upstream alone; its proxy is the way out.
  const context = { environment, dispatcher: createDispatcher({ proxy }, CONNECT_MS) };
  switch (auth.type) {
    case "aws":
      return createAwsSigner(auth, baseUrl, context);
    case "azure":
      return createBearerSigner(createEntraTokens(auth, context));
    case "google":
      return createBearerSigner(createGoogleTokens(auth, context));
  }
}
