import { type RawJson, ToolChoiceMode } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { saysNothing } from "../../formats/shared/is-default-value.ts";
import { lookAtJsonObject } from "../../formats/shared/json.ts";
import { type Losses, LossList } from "../../formats/shared/losses.ts";
import { isUnreadable } from "../../formats/shared/reasoning-path.ts";

/** Members that ask for nothing which a deterministic answer does not give. */
const HONOURED = new Set(["seed", "presence_penalty", "frequency_penalty", "stream_options", "user"]);

/**
 * Lists what a request asks for and the sandbox does not do, by its places in the hub's request. The table of fields
 * says which fields those are; here stands what depends on a value.
 */
export function listLosses(input: InferenceInput): Losses {
  const losses = new LossList("sandbox", input);
  listRequest(input.extension, losses);
  losses.settle("extension");
  if (input.logprobs) losses.at("logprobs");
  if ((input.topLogprobs ?? 0) > 0) losses.at("top_logprobs");
  if (input.toolChoice?.mode === ToolChoiceMode.OPAQUE) losses.at("tool_choice");
  for (const [index, { content }] of input.messages.entries()) {
    for (const [at, block] of content.entries()) {
      if (isUnreadable(block)) losses.at(`messages[${index}].content[${at}]`);
    }
  }
  for (const [index, { kind }] of input.tools.entries()) {
    if (kind.case !== "custom" || lookAtJsonObject(kind.value.formatJson ?? "")?.["type"] !== "grammar") continue;
    losses.at(`tools[${index}].format_json`);
  }
  return losses.places;
}

function listRequest(extension: RawJson | undefined, losses: LossList): void {
  for (const [name, value] of Object.entries(lookAtJsonObject(extension?.json ?? "{}") ?? {})) {
    if (!HONOURED.has(name) && value !== false && !saysNothing(name, value)) losses.said("", name, value);
  }
}
