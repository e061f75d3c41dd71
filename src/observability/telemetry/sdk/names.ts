import type { HubInput } from "../../../hub/input.ts";

/**
 * Names of attributes by the conventions of OpenTelemetry (@opentelemetry/semantic-conventions 1.45, and the repository
 * semantic-conventions-genai of November 2026). Those of GenAI are not stable, and the package asks that such ones are
 * copied.
 */
export const HTTP_METHOD = "http.request.method";
export const HTTP_ROUTE = "http.route";
export const HTTP_STATUS = "http.response.status_code";
export const RPC_SYSTEM = "rpc.system.name";
export const RPC_METHOD = "rpc.method";
export const ERROR_TYPE = "error.type";
export const SERVER_ADDRESS = "server.address";
export const SERVER_PORT = "server.port";

export const OPERATION = "gen_ai.operation.name";
export const PROVIDER = "gen_ai.provider.name";
export const CONVERSATION = "gen_ai.conversation.id";
export const REQUEST_MODEL = "gen_ai.request.model";
export const REQUEST_STREAM = "gen_ai.request.stream";
export const REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens";
export const REQUEST_TEMPERATURE = "gen_ai.request.temperature";
export const REQUEST_TOP_P = "gen_ai.request.top_p";
export const REQUEST_TOP_K = "gen_ai.request.top_k";
export const REQUEST_SEED = "gen_ai.request.seed";
export const FREQUENCY_PENALTY = "gen_ai.request.frequency_penalty";
export const PRESENCE_PENALTY = "gen_ai.request.presence_penalty";
export const STOP_SEQUENCES = "gen_ai.request.stop_sequences";
export const REASONING_LEVEL = "gen_ai.request.reasoning.level";
export const OUTPUT_TYPE = "gen_ai.output.type";
export const ENCODING_FORMATS = "gen_ai.request.encoding_formats";
export const DIMENSIONS = "gen_ai.embeddings.dimension.count";
export const RESPONSE_MODEL = "gen_ai.response.model";
export const FINISH_REASONS = "gen_ai.response.finish_reasons";
export const TIME_TO_FIRST_CHUNK = "gen_ai.response.time_to_first_chunk";
export const INPUT_MESSAGES = "gen_ai.input.messages";
export const OUTPUT_MESSAGES = "gen_ai.output.messages";
export const SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions";
export const TOOL_DEFINITIONS = "gen_ai.tool.definitions";
export const TOKEN_TYPE = "gen_ai.token.type";
export const INPUT_TOKENS = "gen_ai.usage.input_tokens";
export const OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
export const CACHE_READ_TOKENS = "gen_ai.usage.cache_read.input_tokens";
/** The newer name, and the one that it replaces, which most readers still go by. */
export const CACHE_WRITE_TOKENS = "gen_ai.usage.cache_write.input_tokens";
export const CACHE_CREATION_TOKENS = "gen_ai.usage.cache_creation.input_tokens";
export const REASONING_TOKENS = "gen_ai.usage.reasoning.output_tokens";

export const EVALUATION = "gen_ai.evaluation.result";
export const EVALUATION_NAME = "gen_ai.evaluation.name";
export const EVALUATION_VALUE = "gen_ai.evaluation.score.value";
export const EVALUATION_LABEL = "gen_ai.evaluation.score.label";
export const RESPONSE_ID = "gen_ai.response.id";

/** The operation of a call with messages and tools. */
export const CHAT = "chat";
export const EMBEDDINGS = "embeddings";

/** Returns the operation of the calls of an inference. */
export function getOperation({ embedding }: Pick<HubInput, "embedding">): typeof CHAT | typeof EMBEDDINGS {
  return embedding === undefined ? CHAT : EMBEDDINGS;
}
