import type { Client } from "@connectrpc/connect";
import type { FeedbackService } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import type { InferenceService } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { ModelService } from "../../../gen/attune/model/v1/model_pb.ts";

/** All that the facade knows of the inside: clients of the RPC services, in process or remote. */
export interface RpcClients {
  readonly inference: Client<typeof InferenceService>;
  readonly model: Client<typeof ModelService>;
  readonly feedback: Client<typeof FeedbackService>;
}
