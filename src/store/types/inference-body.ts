import { fromBinary } from "@bufbuild/protobuf";
import { type GenerateResponse, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { decodeRequest } from "../../hub/request-bytes.ts";
import { expandBody } from "../../lib/compress-body.ts";

/** The request and response of an inference. */
export interface InferenceContent {
  readonly input: HubInput;
  readonly output: GenerateResponse;
}

/** The same as it is stored: protobuf, compressed with zstd unless it is small. */
export interface EncodedContent {
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}

/** Decodes both messages where they are not compressed. */
export function decodeMessages(request: Uint8Array, response: Uint8Array): InferenceContent {
  return { input: decodeRequest(request), output: fromBinary(GenerateResponseSchema, response) };
}

/** A content and what it takes up. */
interface DecodedContent extends InferenceContent {
  /** Size of both messages, not compressed. */
  readonly bytes: number;
}

/** Decodes what is in the database. */
export async function decodeContent({ request, response }: EncodedContent): Promise<DecodedContent> {
  const [input, output] = [await expandBody(request), await expandBody(response)];
  return { ...decodeMessages(input, output), bytes: input.length + output.length };
}
