import { askForCredential, unreadable } from "./ask-for-credential.ts";
import type { SignerContext } from "./environment.ts";
import { readTokenFile } from "./read-token-file.ts";
import type { AwsCredential } from "./sign-v4.ts";

const STS = { name: "AWS STS", remedy: "check auth.roleArn, the token of auth.tokenFile, and whom the role trusts" };

/** Gets the keys of a role by the token of a workload: AssumeRoleWithWebIdentity, which takes no signature. */
export async function askForRoleKeys(
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
