import type { AwsAuthConfig } from "../../config/auth-config.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { askForCredential, unreadable } from "./ask-for-credential.ts";
import { askForContainerKeys, askForInstanceKeys } from "./aws-metadata.ts";
import type { SignerContext } from "./environment.ts";
import { readTokenFile } from "./read-token-file.ts";
import { createRequestSigner, type RequestSigner } from "./request-signer.ts";
import { type AwsCredential, type SigningScope, signV4 } from "./sign-v4.ts";

const STS = { name: "AWS STS", remedy: "check auth.roleArn, the token of auth.tokenFile, and whom the role trusts" };

/** Gets the keys of a role by the token of a workload: AssumeRoleWithWebIdentity, which takes no signature. */
async function askForRoleKeys(
  { roleArn, tokenFile }: { readonly roleArn: string; readonly tokenFile: string },
  region: string,
  { environment, dispatcher }: SignerContext,
): Promise<AwsCredential> {
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const url = environment["AWS_ENDPOINT_URL_STS"] ?? `https://sts.${region}.${domain}`;
  const body = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: roleArn,
    RoleSessionName: environment["AWS_ROLE_SESSION_NAME"] ?? "attune",
    WebIdentityToken: await readTokenFile(tokenFile),
  });
  const xml = await askForCredential(STS, { url, body, dispatcher });
  const read = (name: string): string | undefined => new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1];
  const [accessKeyId, secretAccessKey] = [read("AccessKeyId"), read("SecretAccessKey")];
  const expiresAtMs = Date.parse(read("Expiration") ?? "");
  if (accessKeyId === undefined || secretAccessKey === undefined || Number.isNaN(expiresAtMs)) throw unreadable(STS);
  return { accessKeyId, secretAccessKey, sessionToken: read("SessionToken"), expiresAtMs };
}

/** Addresses of Bedrock, which name its service and region. */
const HOST = /^(bedrock(?:-runtime|-mantle)?)(?:-fips)?\.([a-z]{2,8}(?:-[a-z0-9]+)+-\d+)\./;

/** Creates a signer by Signature Version 4 for an upstream of AWS. */
export function createAwsSigner(auth: AwsAuthConfig, baseUrl: string, context: SignerContext): RequestSigner {
  const scope = getScope(auth, baseUrl, context);
  return createRequestSigner({
    async ask() {
      if (scope === undefined) throw noRegion();
      return await findKeys(auth, scope, context);
    },
    sign: (credential, request) => signV4(request, credential, scope ?? { region: "", service: "" }),
    secretsOf: ({ secretAccessKey, sessionToken }) => [secretAccessKey, ...(sessionToken ? [sessionToken] : [])],
  });
}

function getScope(auth: AwsAuthConfig, baseUrl: string, { environment }: SignerContext): SigningScope | undefined {
  const [, host, hostRegion] = HOST.exec(new URL(baseUrl).hostname) ?? [];
  const region = auth.region ?? hostRegion ?? environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"];
  const service = auth.service ?? (host === "bedrock-mantle" ? host : "bedrock");
  return region === undefined ? undefined : { region, service };
}

function noRegion(): InferenceError {
  const message = "the upstream's region is not known: set auth.region, or AWS_REGION";
  return new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message);
}

/**
 * Finds keys in the order of the vendor's own libraries: the configuration, the environment, a role by the token of a
 * workload, the metadata of a container, that of an instance.
 */
async function findKeys(auth: AwsAuthConfig, scope: SigningScope, context: SignerContext): Promise<AwsCredential> {
  const { environment } = context;
  const own = staticKeys(auth.accessKeyId, auth.secretAccessKey, auth.sessionToken);
  if (own !== undefined) return own;
  if (auth.roleArn !== undefined && auth.tokenFile !== undefined) {
    return await askForRoleKeys({ roleArn: auth.roleArn, tokenFile: auth.tokenFile }, scope.region, context);
  }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  const inherited = staticKeys(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN);
  if (inherited !== undefined) return inherited;
  const roleArn = auth.roleArn ?? environment["AWS_ROLE_ARN"];
  const tokenFile = auth.tokenFile ?? environment["AWS_WEB_IDENTITY_TOKEN_FILE"];
  if (roleArn !== undefined && tokenFile !== undefined) {
    return await askForRoleKeys({ roleArn, tokenFile }, scope.region, context);
  }
  return (await askForContainerKeys(environment)) ?? (await askForInstanceKeys(environment));
}

function staticKeys(id: string | undefined, secret: string | undefined, token?: string): AwsCredential | undefined {
  if (!id || !secret) return undefined;
  return { accessKeyId: id, secretAccessKey: secret, sessionToken: token || undefined, expiresAtMs: Infinity };
}
