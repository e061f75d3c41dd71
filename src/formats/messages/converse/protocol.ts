import type { ConverseAbilities } from "../../../hub/converse-abilities.ts";
import type { UpstreamProtocol } from "../../shared/protocol.ts";
import { bedrockMessagesProtocol } from "../bedrock.ts";
import { createEventDecoder } from "./decode-events.ts";
import { encodeRequest } from "./encode-request.ts";

/**
 * Creates the protocol of Converse of Amazon Bedrock (docs.aws.amazon.com/bedrock/latest/APIReference/
 * API_runtime_Converse.html), the one format of Nova, Llama and others there. A request goes from the hub into
 * Messages, which Converse resembles, and from there into Converse by a list of what it has: anything else is a loss.
 */
export function createConverseProtocol({
  structuredOutput = false,
  effort = false,
  citations = false,
  cachePoints = "none",
}: Partial<ConverseAbilities> = {}): UpstreamProtocol {
  const { ownDialect: _ofMessages, ...bedrock } = bedrockMessagesProtocol;
  return {
    ...bedrock,
    modelPath: (model, streamed) => `/model/${encodeURIComponent(model)}/${streamed ? "converse-stream" : "converse"}`,
    encodeRequest: (input, target) =>
      encodeRequest(input, target, { structuredOutput, effort, citations, cachePoints }),
    createEventDecoder,
    takesCacheMarks: false,
  };
}
