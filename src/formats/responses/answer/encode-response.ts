import type { GenerateResponse } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { DecodedRequest } from "../../shared/codec.ts";
import { encodeOutcome } from "./encode-outcome.ts";
import { encodeResource, outputOptions } from "./encode-resource.ts";
import { OutputList } from "./output-list.ts";

/** Encodes a whole answer as JSON text. `nowSeconds` is the time, in seconds since 1970. */
export function encodeResponse(
  response: GenerateResponse,
  { body }: Pick<DecodedRequest, "body">,
  nowSeconds: number,
): string {
  const output = new OutputList(response.id, outputOptions(body));
  for (const block of response.content) output.add(block);
  const identity = {
    id: response.id,
    model: response.model,
    createdAt: Number(response.createdAt?.seconds ?? nowSeconds),
  };
  return JSON.stringify(encodeResource(body, identity, encodeOutcome(response.finished, output.items, nowSeconds)));
}
