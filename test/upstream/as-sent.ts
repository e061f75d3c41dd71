import type { EncodedRequest } from "../../src/upstream/protocol.ts";
import { jsonBytes } from "../../src/wire/json-bytes.ts";

/** An encoded request, its body as the text that the upstream is sent. */
export function asSent({ body, ...request }: EncodedRequest): Omit<EncodedRequest, "body"> & { readonly body: string } {
  return { ...request, body: jsonBytes(body).toString() };
}
