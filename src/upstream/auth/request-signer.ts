import { type Credential, CredentialCache } from "./credential-cache.ts";

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The headers that say who calls. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that an error must not repeat. */
  readonly secrets: readonly string[];
  /** Gets other credentials after a refusal; resolves to false where there are none. */
  replace(): Promise<boolean>;
}

/** Signs the requests of an upstream, whatever their format. */
export interface RequestSigner {
  /** Returns a signature, at once where its credential is held. Rejects with InferenceError. */
  sign(request: UnsignedRequest): Signature | Promise<Signature>;
}

/** A way to get credentials, and to sign with them. */
interface Signing<T extends Credential> {
  /** Gets a credential, within a limit of time. Rejects with InferenceError. */
  ask(): Promise<T>;
  sign(credential: T, request: UnsignedRequest): Readonly<Record<string, string>>;
  secretsOf(credential: T): readonly string[];
}

/** Creates a signer that keeps its credential. */
export function createRequestSigner<T extends Credential>({ ask, sign, secretsOf }: Signing<T>): RequestSigner {
  const cache = new CredentialCache(ask);
  const signWith = (credential: T, request: UnsignedRequest): Signature => ({
    headers: sign(credential, request),
    secrets: secretsOf(credential),
    replace: () => cache.replace(credential),
  });
  return {
    sign(request) {
      const credential = cache.get();
      if (credential instanceof Promise) return credential.then((held) => signWith(held, request));
      return signWith(credential, request);
    },
  };
}

/** A token that is sent as it is. */
export interface BearerToken extends Credential {
  readonly token: string;
}

/** Creates a signer that sends a token. */
export function createBearerSigner(ask: () => Promise<BearerToken>): RequestSigner {
  return createRequestSigner({
    ask,
    sign: ({ token }) => ({ authorization: `Bearer ${token}` }),
    secretsOf: ({ token }) => [token],
  });
}
