import { bedrockMessagesProtocol } from "../bedrock.ts";
import { createEventDecoder } from "./decode-events.ts";
import { encodeRequest } from "./encode-request.ts";

/**
 * Converse of Amazon Bedrock (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html), the one
 * format of Nova, Llama and others there. A request goes from the hub into Messages, which Converse resembles, and from
 * there into Converse by a list of what it has: anything else is a loss.
 */
export const converseProtocol = {
  ...bedrockMessagesProtocol,
  modelPath: (model: string, streamed: boolean) =>
    `/model/${encodeURIComponent(model)}/${streamed ? "converse-stream" : "converse"}`,
  encodeRequest,
  createEventDecoder,
  takesCacheMarks: false,
};
