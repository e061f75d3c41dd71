import { createHash, createHmac } from "node:crypto";
import type { Credential } from "./credential-cache.ts";
import type { UnsignedRequest } from "./request-signer.ts";

/** Keys of AWS. */
export interface AwsCredential extends Credential {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** There where the keys are temporary. */
  readonly sessionToken?: string | undefined;
}

/** The region and the service that a signature is for. */
export interface SigningScope {
  readonly region: string;
  readonly service: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * Signs a request by Signature Version 4: returns the headers to add. The host, the type of the content and the headers
 * of AWS are signed; proxies may add others
 * (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 */
export function signV4(
  { method, url, headers, body }: UnsignedRequest,
  credential: AwsCredential,
  { region, service }: SigningScope,
  now = new Date(),
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const added: Record<string, string> = { "x-amz-date": time };
  if (credential.sessionToken !== undefined) added["x-amz-security-token"] = credential.sessionToken;
  const signed: Record<string, string> = { ...contentType(headers), host: url.host, ...added };
  const names = Object.keys(signed).sort();
  const canonicalRequest = [
    method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${(signed[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    sha256(body),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = [ALGORITHM, time, scope, sha256(canonicalRequest)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${credential.secretAccessKey}`);
  const signature = hmac(key, text).toString("hex");
  const authorization =
    `${ALGORITHM} Credential=${credential.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, ` +
    `Signature=${signature}`;
  return { ...added, authorization };
}

function contentType(headers: UnsignedRequest["headers"]): Record<string, string> {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return type === undefined ? {} : { "content-type": type };
}

/** Every service but S3 has what is escaped in the path escaped once more. */
function canonicalPath(path: string): string {
  return path
    .replace(/\/{2,}/g, "/")
    .split("/")
    .map(escapeFully)
    .join("/");
}

function canonicalQuery(query: URLSearchParams): string {
  const pairs = [...query].map(([name, value]) => `${escapeFully(name)}=${escapeFully(value)}`);
  return pairs.sort().join("&");
}

/** Escapes all but letters, digits and -._~ */
function escapeFully(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
