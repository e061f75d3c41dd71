import type { AzureAuthConfig } from "../../config/auth-config.ts";
import type { JsonObject } from "../../formats/shared/json.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { joinUrl } from "../join-url.ts";
import { askForJson, type CredentialSource, unreadable } from "./ask-for-credential.ts";
import type { Environment, SignerContext } from "./environment.ts";
import { readTokenFile } from "./read-token-file.ts";
import type { BearerToken } from "./request-signer.ts";

/** The audience of Azure OpenAI and of the other models of Microsoft Foundry. */
const SCOPE = "https://cognitiveservices.azure.com/.default";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Returns what asks for tokens of Entra ID: by a secret, by a workload's token, or for a managed identity. */
export function createEntraTokens(auth: AzureAuthConfig, context: SignerContext): () => Promise<BearerToken> {
  const { environment, dispatcher } = context;
  const scope = auth.scope ?? SCOPE;
  const tenantId = auth.tenantId ?? environment["AZURE_TENANT_ID"];
  const clientId = auth.clientId ?? environment["AZURE_CLIENT_ID"];
  const clientSecret = auth.clientSecret ?? environment["AZURE_CLIENT_SECRET"];
  const tokenFile = auth.tokenFile ?? environment["AZURE_FEDERATED_TOKEN_FILE"];
  if (clientSecret === undefined && tokenFile === undefined) {
    return () => askIdentityEndpoint({ scope, clientId }, environment);
  }
  return async () => {
    if (tenantId === undefined || clientId === undefined) throw incomplete();
    const proof: Record<string, string> =
      clientSecret === undefined
        ? { client_assertion_type: ASSERTION_TYPE, client_assertion: await readTokenFile(tokenFile ?? "") }
        : { client_secret: clientSecret };
    const authority = environment["AZURE_AUTHORITY_HOST"] ?? "https://login.microsoftonline.com";
    const url = joinUrl(authority, `/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`).href;
    const form = { grant_type: "client_credentials", client_id: clientId, scope, ...proof };
    const source = { name: "Entra ID", remedy: `check auth.tenantId, auth.clientId and ${getName(clientSecret)}` };
    return toToken(await askForJson(source, { url, body: new URLSearchParams(form), dispatcher }), source);
  };
}

function getName(clientSecret: string | undefined): string {
  return clientSecret === undefined ? "the federated credential of auth.tokenFile" : "auth.clientSecret";
}

function incomplete(): InferenceError {
  const message = "the upstream's auth needs tenantId and clientId, or AZURE_TENANT_ID and AZURE_CLIENT_ID";
  return new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message);
}

const MANAGED: CredentialSource = {
  name: "the managed identity endpoint",
  remedy: "assign a managed identity, and name a user-assigned one by auth.clientId",
};

/**
 * App Service and Container Apps name their endpoint in the environment; virtual machines and AKS have it at one
 * address.
 */
async function askIdentityEndpoint(
  { scope, clientId }: { readonly scope: string; readonly clientId: string | undefined },
  environment: Environment,
): Promise<BearerToken> {
  const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: secret } = environment;
  const isApp = endpoint !== undefined && secret !== undefined;
  const host = environment["AZURE_POD_IDENTITY_AUTHORITY_HOST"] ?? "http://169.254.169.254";
  const url = isApp ? new URL(endpoint) : joinUrl(host, "/metadata/identity/oauth2/token");
  url.searchParams.set("api-version", isApp ? "2019-08-01" : "2018-02-01");
  url.searchParams.set("resource", scope.replace(/\/\.default$/, ""));
  if (clientId !== undefined) url.searchParams.set("client_id", clientId);
  const headers: Record<string, string> = isApp ? { "x-identity-header": secret } : { metadata: "true" };
  try {
    return toToken(await askForJson(MANAGED, { url: url.href, headers }), MANAGED);
  } catch (thrown) {
    if (isApp || !(thrown instanceof InferenceError) || thrown.reason !== ErrorReason.UPSTREAM_UNREACHABLE)
      throw thrown;
    const message =
      `${thrown.message}: set auth.clientSecret or auth.tokenFile of the upstream, AZURE_CLIENT_SECRET or ` +
      "AZURE_FEDERATED_TOKEN_FILE, or run where there is a managed identity";
    throw new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message, { cause: thrown });
  }
}

/** Entra ID tells a span in seconds; identity endpoints tell numbers as texts, and some the time alone. */
function toToken(json: JsonObject, source: CredentialSource): BearerToken {
  const { access_token: token, expires_in: span, expires_on: end } = json;
  const expiresAtMs = Number(span) > 0 ? Date.now() + Number(span) * 1000 : Number(end) * 1000;
  if (typeof token !== "string" || token === "" || !(expiresAtMs > 0)) throw unreadable(source);
  return { token, expiresAtMs };
}
