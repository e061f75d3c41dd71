import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";

/** The settings of certificates, as they are written. */
interface WrittenTls {
  readonly cert: unknown;
  readonly key: unknown;
  /** Authorities, by the name of their member. */
  readonly authorities: Readonly<Record<string, unknown>>;
}

/** A wrong member of a certificate's settings. */
interface TlsMistake {
  readonly member: string;
  readonly message: string;
}

/** Finds what is wrong with certificates and a key; undefined if nothing is. `place` names them: `server.tls`. */
export function findTlsMistake(place: string, { cert, key, authorities }: WrittenTls): TlsMistake | undefined {
  for (const [member, pem] of Object.entries({ cert, ...authorities })) {
    if (typeof pem === "string" && readCertificates(pem) === undefined) return { member, message: NO_CERTIFICATE };
  }
  const certificate = typeof cert === "string" ? readCertificates(cert)?.[0] : undefined;
  if (typeof cert !== "string" || typeof key !== "string" || certificate === undefined) return undefined;
  const privateKey = readKey(key);
  if (privateKey === undefined) return { member: "key", message: "must be a key in PEM, without a passphrase" };
  if (!certificate.checkPrivateKey(privateKey)) {
    return { member: "key", message: `is not the key of ${place}.cert: the two must be a pair` };
  }
  const problem = problemInTls(cert, key);
  return problem === undefined ? undefined : { member: "cert", message: `is refused by TLS (${problem})` };
}

/** Says that the certificate has expired, or is of later; undefined if it holds. */
export function expiryProblem({ cert }: { readonly cert: string }, now: Date): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert);
  if (now > new Date(validTo)) return `server.tls.cert: has expired on ${validTo}: renew it`;
  return now < new Date(validFrom) ? `server.tls.cert: is valid from ${validFrom} on` : undefined;
}

const NO_CERTIFICATE = "must be a certificate in PEM: '-----BEGIN CERTIFICATE-----'";

const CERTIFICATE = /-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]*(?:-----END \1-----)?/g;

/** Reads certificates and those between, the first one first; undefined where there is none, or one is damaged. */
function readCertificates(pem: string): readonly X509Certificate[] | undefined {
  try {
    const found = [...pem.matchAll(CERTIFICATE)].map(([text]) => new X509Certificate(text));
    return found.length === 0 ? undefined : found;
  } catch {
    return undefined;
  }
}

/** Returns why TLS does not take a pair, such as a key that is too short; undefined where it does. */
function problemInTls(cert: string, key: string): string | undefined {
  try {
    createSecureContext({ cert, key });
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "an error";
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
