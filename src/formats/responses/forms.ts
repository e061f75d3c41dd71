import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { AnnotationForm } from "../shared/annotations.ts";
import type { LogprobForm } from "../shared/logprobs.ts";

export const RESPONSES_ANNOTATIONS: AnnotationForm = { dialect: Dialect.RESPONSES, isNested: false };
export const RESPONSES_LOGPROBS: LogprobForm = { dialect: Dialect.RESPONSES, saysNull: false };
