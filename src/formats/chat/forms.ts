import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { AnnotationForm } from "../shared/annotations.ts";
import type { LogprobForm } from "../shared/logprobs.ts";

export const CHAT_ANNOTATIONS: AnnotationForm = { dialect: Dialect.CHAT, isNested: true };
export const CHAT_LOGPROBS: LogprobForm = { dialect: Dialect.CHAT, saysNull: true };
