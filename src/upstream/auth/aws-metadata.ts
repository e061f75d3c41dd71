import type { JsonObject } from "../../formats/shared/json.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { joinUrl } from "../join-url.ts";
import { askForCredential, askForJson, type CredentialSource, unreadable } from "./ask-for-credential.ts";
import type { Environment } from "./environment.ts";
import { readTokenFile } from "./read-token-file.ts";
import type { AwsCredential } from "./sign-v4.ts";

const CONTAINER: CredentialSource = {
  name: "the container's credentials endpoint",
  remedy: "give the task or the pod a role",
};

/** Gets the keys of a container's role (ECS, EKS Pod Identity); undefined where the environment names no endpoint. */
export async function askForContainerKeys(environment: Environment): Promise<AwsCredential | undefined> {
  const relative = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  const full = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"];
  const url = relative === undefined ? full : `http://169.254.170.2${relative}`;
  if (url === undefined) return undefined;
  const file = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  const token = file === undefined ? environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] : await readTokenFile(file);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: token };
  return toKeys(await askForJson(CONTAINER, { url, headers }), CONTAINER);
}

const INSTANCE: CredentialSource = {
  name: "the instance metadata service",
  remedy: "give the instance a profile with a role",
};

/** The service answers from the host itself. */
const LIMIT_MS = 2000;

/** Gets the keys of an instance's role (EC2), by version 2 of its metadata service. */
export async function askForInstanceKeys(environment: Environment): Promise<AwsCredential> {
  if (environment["AWS_EC2_METADATA_DISABLED"]?.toLowerCase() === "true") throw noKeys("there are none");
  const host = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254";
  const at = (path: string) => ({ url: joinUrl(host, `/latest/${path}`).href, limitMs: LIMIT_MS });
  try {
    const ttl = { "x-aws-ec2-metadata-token-ttl-seconds": "21600" };
    const token = await askForCredential(INSTANCE, { ...at("api/token"), method: "PUT", headers: ttl });
    const headers = { "x-aws-ec2-metadata-token": token };
    const roles = at("meta-data/iam/security-credentials/");
    const role = (await askForCredential(INSTANCE, { ...roles, headers })).split("\n", 1)[0]?.trim() ?? "";
    const json = await askForJson(INSTANCE, { ...roles, url: roles.url + encodeURIComponent(role), headers });
    return toKeys(json, INSTANCE);
  } catch (thrown) {
    const error = InferenceError.from(thrown);
    throw error.reason === ErrorReason.UPSTREAM_UNREACHABLE ? noKeys(error.message) : error;
  }
}

function noKeys(why: string): InferenceError {
  const message =
    `the upstream has no credentials of AWS (${why}): set auth.accessKeyId and auth.secretAccessKey, ` +
    "AWS_ACCESS_KEY_ID " +
    "and AWS_SECRET_ACCESS_KEY, or auth.roleArn and auth.tokenFile, or run where there is a role";
  return new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message);
}

function toKeys(json: JsonObject, source: CredentialSource): AwsCredential {
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration: end } = json;
  const expiresAtMs = Date.parse(String(end));
  const isComplete = typeof accessKeyId === "string" && typeof secretAccessKey === "string";
  if (!isComplete || typeof sessionToken !== "string" || Number.isNaN(expiresAtMs)) throw unreadable(source);
  return { accessKeyId, secretAccessKey, sessionToken, expiresAtMs };
}
