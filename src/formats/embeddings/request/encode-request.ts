import { type ContentBlock, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { EmbeddingEncoding } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { LossList } from "../../shared/losses.ts";
import type { EncodedRequest, EncodeTarget } from "../../shared/protocol.ts";
import { readEmbeddingsJson } from "../raw-json.ts";

const ENCODINGS: Readonly<Record<EmbeddingEncoding, string | undefined>> = {
  [EmbeddingEncoding.UNSPECIFIED]: undefined,
  [EmbeddingEncoding.FLOAT]: "float",
  [EmbeddingEncoding.BASE64]: "base64",
};

/** Encodes a request as the body of POST /embeddings. One text goes without a list, which every server takes. */
export function encodeRequest(input: HubInput, { deployment }: EncodeTarget): EncodedRequest {
  const { embedding, extension, endUserId, messages } = input;
  const tokens = embedding?.tokenInputs.map((each) => each.tokens) ?? [];
  const inputs = tokens.length > 0 ? tokens : messages.flatMap(({ content }) => content.map(getText));
  const losses = new LossList(undefined, input);
  if (extension?.dialect !== Dialect.EMBEDDINGS) losses.lose(extension, "");
  return {
    body: {
      ...readEmbeddingsJson(extension),
      model: deployment.model,
      input: inputs.length === 1 ? inputs[0] : inputs,
      dimensions: embedding?.dimensions,
      encoding_format: ENCODINGS[embedding?.encoding ?? EmbeddingEncoding.UNSPECIFIED],
      user: endUserId,
    },
    losses: losses.places,
  };
}

function getText({ kind }: ContentBlock): string {
  return kind.case === "text" ? kind.value.text : "";
}
