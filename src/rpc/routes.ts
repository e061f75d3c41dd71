import type { DescService } from "@bufbuild/protobuf";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ConversationService } from "../../gen/attune/conversation/v1/conversation_pb.ts";
import { FeedbackService } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ModelService } from "../../gen/attune/model/v1/model_pb.ts";
import { UsageService } from "../../gen/attune/usage/v1/usage_pb.ts";
import { WorkloadService } from "../../gen/attune/workload/v1/workload_pb.ts";

/** The services that Attune offers over RPC. */
export interface RpcServices {
  readonly inference: ServiceImpl<typeof InferenceService>;
  readonly conversation: ServiceImpl<typeof ConversationService>;
  readonly model: ServiceImpl<typeof ModelService>;
  readonly feedback: ServiceImpl<typeof FeedbackService>;
  readonly usage: ServiceImpl<typeof UsageService>;
  readonly workload: ServiceImpl<typeof WorkloadService>;
  readonly admin: ServiceImpl<typeof AdminService>;
}

/** They as reflection and health know them. */
export const SERVED_SERVICES = [
  InferenceService,
  ConversationService,
  ModelService,
  FeedbackService,
  UsageService,
  WorkloadService,
  AdminService,
] as const satisfies readonly DescService[];

/** Registers them: the table of contents of the RPC API. */
export function createRoutes(services: RpcServices): (router: ConnectRouter) => void {
  return (router) => {
    router.service(InferenceService, services.inference);
    router.service(ConversationService, services.conversation);
    router.service(ModelService, services.model);
    router.service(FeedbackService, services.feedback);
    router.service(UsageService, services.usage);
    router.service(WorkloadService, services.workload);
    router.service(AdminService, services.admin);
  };
}
