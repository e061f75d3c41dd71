import { ReasoningEffort, ThinkingMode } from "../../../gen/attune/content/v1/content_pb.ts";

/** Values of `thinking.type`. */
export const THINKING_MODE_WORDS = {
  enabled: ThinkingMode.ENABLED,
  adaptive: ThinkingMode.ADAPTIVE,
  disabled: ThinkingMode.DISABLED,
  between_tools: ThinkingMode.BETWEEN_TOOLS,
} as const;

/** Values of `output_config.effort`. */
export const EFFORT_WORDS = {
  low: ReasoningEffort.LOW,
  medium: ReasoningEffort.MEDIUM,
  high: ReasoningEffort.HIGH,
  xhigh: ReasoningEffort.XHIGH,
  max: ReasoningEffort.MAX,
} as const;
