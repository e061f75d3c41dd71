import { jsonBytes } from "../../../src/formats/shared/json-bytes.ts";
import type { EncodedRequest } from "../../../src/formats/shared/protocol.ts";

/** An encoded request, its body as the text that the upstream is sent. */
export function asSent({ body, ...request }: EncodedRequest): Omit<EncodedRequest, "body"> & { readonly body: string } {
  return { ...request, body: jsonBytes(body).toString() };
}
