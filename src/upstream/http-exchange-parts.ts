import type { EncodedRequest, KnownFacts, UpstreamProtocol } from "../formats/shared/protocol.ts";
import type { HttpClient } from "./http.ts";
import type { KeyRing } from "./keys/key-ring.ts";
import type { RequestBody } from "./request-body.ts";

/** The parts that all calls of an upstream share. */
export interface HttpExchangeParts {
  readonly protocol: UpstreamProtocol;
  readonly client: HttpClient;
  /** Address of a path below the base URL. */
  readonly urlOf: (path: string) => URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Its keys, where it has several: each request goes by one of them. */
  readonly keys: KeyRing | undefined;
  /** The keys and the values of configured headers: an upstream that repeats them in an error must not be repeated. */
  readonly secrets: readonly string[];
  readonly name: string;
  /** The facts of its server. */
  readonly profile: KnownFacts;
}

/** A translated request whose body goes away when it is sent. */
export type RequestToSend = Omit<EncodedRequest, "body"> & { readonly body: RequestBody };
