import type { Dispatcher } from "undici";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { parseErrorBody } from "../../formats/shared/parse-error-body.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { askForCredential, askForJson, type CredentialSource, unreadable } from "./ask-for-credential.ts";
import { readMember, SCOPE, toToken } from "./google-tokens.ts";
import { readTokenFile } from "./read-token-file.ts";
import type { BearerToken } from "./request-signer.ts";

const STS: CredentialSource = {
  name: "Google's Security Token Service",
  remedy: "check the audience of the credentials file, and whom the workload identity pool trusts",
};
const IMPERSONATION: CredentialSource = {
  name: "Google's IAM",
  remedy: "give the workload the role Workload Identity User on the service account",
};
const SUBJECT: CredentialSource = {
  name: "the endpoint of the workload's token",
  remedy: "check credential_source of the credentials file",
};

/**
 * Exchanges the token of a workload of another cloud or cluster (workload identity federation,
 * google.aip.dev/auth/4117).
 */
export async function askByExternalAccount(credentials: JsonObject, dispatcher?: Dispatcher): Promise<BearerToken> {
  const form = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    audience: readMember(credentials, "audience"),
    scope: SCOPE,
    requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
    subject_token_type: readMember(credentials, "subject_token_type"),
    subject_token: await readSubjectToken(credentials["credential_source"]),
  };
  const url = readMember(credentials, "token_url");
  const token = toToken(await askForJson(STS, { url, body: new URLSearchParams(form), dispatcher }), STS);
  const { service_account_impersonation_url: account } = credentials;
  return typeof account === "string" ? await impersonate(account, token, dispatcher) : token;
}

async function impersonate(url: string, { token }: BearerToken, dispatcher?: Dispatcher): Promise<BearerToken> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ scope: [SCOPE], lifetime: "3600s" });
  const { accessToken, expireTime } = await askForJson(IMPERSONATION, { url, headers, body, dispatcher });
  const expiresAtMs = Date.parse(String(expireTime));
  if (typeof accessToken !== "string" || Number.isNaN(expiresAtMs)) throw unreadable(IMPERSONATION);
  return { token: accessToken, expiresAtMs };
}

/** The token stands in a file or at an address, as it is or as a member of JSON. */
async function readSubjectToken(source: unknown): Promise<string> {
  const { file, url, headers = {}, format } = isJsonObject(source) ? source : {};
  let text: string | undefined;
  if (typeof file === "string") text = await readTokenFile(file);
  else if (typeof url === "string" && isJsonObject(headers)) {
    const sent = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    text = await askForCredential(SUBJECT, { url, headers: Object.fromEntries(sent) });
  }
  if (text === undefined) {
    const message =
      "credential_source of the credentials file has neither file nor url: AWS and executables are not read";
    throw new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message);
  }
  if (!isJsonObject(format) || format["type"] !== "json") return text.trim();
  return readMember(parseErrorBody(text) ?? {}, readMember(format, "subject_token_field_name"));
}
