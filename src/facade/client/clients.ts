import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallOptions, Client } from "@connectrpc/connect";
import type { AdminService } from "../../../gen/attune/admin/v1/admin_pb.ts";
import type { ConversationService } from "../../../gen/attune/conversation/v1/conversation_pb.ts";
import type { FeedbackService } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import type {
  GenerateEvent,
  InferenceService,
  StreamGenerateRequestSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { ModelService } from "../../../gen/attune/model/v1/model_pb.ts";
import type { UsageService } from "../../../gen/attune/usage/v1/usage_pb.ts";

/**
 * Streams an answer into a sink, one call for each batch of events; where the sink returns a promise, no more comes
 * until it resolves. Resolves at the end of the stream, and rejects as the RPC does.
 */
type StreamInference = (
  request: MessageInitShape<typeof StreamGenerateRequestSchema>,
  options: CallOptions,
  sink: (events: GenerateEvent[]) => void | Promise<void>,
) => Promise<void>;

/** All that the facade knows of the inside: clients of the RPC services, in process. */
export interface RpcClients {
  readonly inference: Client<typeof InferenceService>;
  /** StreamGenerate of the same service. */
  readonly streamInference: StreamInference;
  readonly conversation: Client<typeof ConversationService>;
  readonly model: Client<typeof ModelService>;
  readonly feedback: Client<typeof FeedbackService>;
  readonly usage: Client<typeof UsageService>;
  readonly admin: Client<typeof AdminService>;
}
