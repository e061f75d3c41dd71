import type { Dispatcher } from "undici";
import type { GoogleAuthConfig } from "../../config/auth-config.ts";
import type { JsonObject } from "../../formats/shared/json.ts";
import { parseErrorBody } from "../../formats/shared/parse-error-body.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { askForJson, type CredentialSource } from "./ask-for-credential.ts";
import type { Environment, SignerContext } from "./environment.ts";
import { askByExternalAccount } from "./google-external.ts";
import { createAssertion, readMember, SCOPE, toToken } from "./google-tokens.ts";
import { readTokenFile } from "./read-token-file.ts";
import type { BearerToken } from "./request-signer.ts";

/** Returns what asks for tokens of Google: by a file of credentials, or of the metadata server. */
export function createGoogleTokens(auth: GoogleAuthConfig, context: SignerContext): () => Promise<BearerToken> {
  const { environment, dispatcher } = context;
  const file = auth.credentialsFile ?? environment["GOOGLE_APPLICATION_CREDENTIALS"];
  if (file === undefined) return () => askMetadata(environment);
  return async () => {
    const credentials = parseErrorBody(await readTokenFile(file));
    switch (credentials?.["type"]) {
      case "service_account":
        return await askByServiceAccount(credentials, dispatcher);
      case "external_account":
        return await askByExternalAccount(credentials, dispatcher);
      case "authorized_user":
        return await askByRefreshToken(credentials, dispatcher);
      default:
        throw new InferenceError(
          ErrorReason.UPSTREAM_MISCONFIGURED,
          `the file '${file}' has no credentials of the type service_account, external_account or authorized_user`,
        );
    }
  };
}

const OAUTH: CredentialSource = {
  name: "Google's token endpoint",
  remedy: "check the file of auth.credentialsFile, and that its key is not deleted",
};

async function askByServiceAccount(credentials: JsonObject, dispatcher?: Dispatcher): Promise<BearerToken> {
  const url = readMember(credentials, "token_uri");
  const assertion = createAssertion(credentials, url);
  const form = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion };
  return toToken(await askForJson(OAUTH, { url, body: new URLSearchParams(form), dispatcher }), OAUTH);
}

/** The credentials of a person, as gcloud writes them for development. */
async function askByRefreshToken(credentials: JsonObject, dispatcher?: Dispatcher): Promise<BearerToken> {
  const [id, secret, token] = ["client_id", "client_secret", "refresh_token"].map((name) =>
    readMember(credentials, name),
  );
  const { token_uri: uri } = credentials;
  const url = typeof uri === "string" ? uri : "https://oauth2.googleapis.com/token";
  const form = {
    grant_type: "refresh_token",
    client_id: id ?? "",
    client_secret: secret ?? "",
    refresh_token: token ?? "",
  };
  return toToken(await askForJson(OAUTH, { url, body: new URLSearchParams(form), dispatcher }), OAUTH);
}

const METADATA: CredentialSource = {
  name: "Google's metadata server",
  remedy: "give the instance, the pod or the service a service account",
};

/** It answers on virtual machines, in GKE for a workload's own account, and in Cloud Run. */
async function askMetadata(environment: Environment): Promise<BearerToken> {
  const host = environment["GCE_METADATA_HOST"] ?? "metadata.google.internal";
  const path = `computeMetadata/v1/instance/service-accounts/default/token?scopes=${encodeURIComponent(SCOPE)}`;
  const question = { url: `http://${host}/${path}`, headers: { "metadata-flavor": "Google" } };
  try {
    return toToken(await askForJson(METADATA, question), METADATA);
  } catch (thrown) {
    const error = InferenceError.from(thrown);
    if (error.reason !== ErrorReason.UPSTREAM_UNREACHABLE) throw error;
    const message =
      `the upstream has no credentials of Google (${error.message}): set auth.credentialsFile or ` +
      "GOOGLE_APPLICATION_CREDENTIALS, or run where there is a service account";
    throw new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message, { cause: thrown });
  }
}
