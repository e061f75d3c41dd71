import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { TlsConfig } from "./config.ts";

/** A wrong member of a certificate's settings. */
interface TlsMistake {
  readonly member: keyof TlsConfig;
  readonly message: string;
}

/** Finds what is wrong with a certificate and its key, as they are written; undefined if nothing is. */
export function findTlsMistake(given: Readonly<Record<keyof TlsConfig, unknown>>): TlsMistake | undefined {
  const { cert, key, clientCa } = given;
  const certificate = typeof cert === "string" ? readCertificate(cert) : undefined;
  if (typeof cert === "string" && certificate === undefined) return { member: "cert", message: NO_CERTIFICATE };
  if (typeof clientCa === "string" && readCertificate(clientCa) === undefined) {
    return { member: "clientCa", message: NO_CERTIFICATE };
  }
  if (typeof key !== "string" || certificate === undefined) return undefined;
  const privateKey = readKey(key);
  if (privateKey === undefined) return { member: "key", message: "must be a key in PEM, without a passphrase" };
  if (certificate.checkPrivateKey(privateKey)) return undefined;
  return { member: "key", message: "is not the key of server.tls.cert: the two must be a pair" };
}

/** Says that the certificate has expired, or is of later; undefined if it holds. */
export function expiryProblem({ cert }: TlsConfig, now: Date): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert);
  if (now > new Date(validTo)) return `server.tls.cert: has expired on ${validTo}: renew it`;
  return now < new Date(validFrom) ? `server.tls.cert: is valid from ${validFrom} on` : undefined;
}

const NO_CERTIFICATE = "must be a certificate in PEM: '-----BEGIN CERTIFICATE-----'";

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
