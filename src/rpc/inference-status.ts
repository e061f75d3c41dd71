import { InferenceStatus } from "../../gen/attune/inference/v1/inference_pb.ts";

/** The states of an inference by their names. */
export const STATUS = {
  queued: InferenceStatus.QUEUED,
  in_progress: InferenceStatus.IN_PROGRESS,
  completed: InferenceStatus.COMPLETED,
  failed: InferenceStatus.FAILED,
  canceled: InferenceStatus.CANCELED,
} as const;
