import { MessageSchema, ThinkingBlockSchema, ToolUseBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { knownMembers } from "../../hub/field-names.ts";

export { LATE_ITEM_MEMBERS } from "../../hub/late-item-members.ts";

/** The item of `include` that asks how likely the tokens are. */
export const INCLUDED_LOGPROBS = "message.output_text.logprobs";

/** The item of `include` that asks for the pages that a web search found. */
export const INCLUDED_SOURCES = "web_search_call.action.sources";

const TYPE = { further: ["type"] };
const ITEM = { further: ["type", "id"] };

/**
 * Members of an answer's items that the hub models, by type. All others travel as an extension and come back as they
 * were. `status` of an item is not among them: the answer's own end says what it is, and a history keeps the caller's.
 */
export const MODELLED = {
  message: knownMembers("responses", [MessageSchema], TYPE),
  function_call: knownMembers("responses", [ToolUseBlockSchema], ITEM),
  custom_tool_call: new Set(["type", "id", "call_id", "name", "input"]),
  reasoning: knownMembers("responses", [ThinkingBlockSchema], ITEM),
} as const satisfies Record<string, ReadonlySet<string>>;
