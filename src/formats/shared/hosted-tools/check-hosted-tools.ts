import { type Dialect, ToolChoiceMode } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { lookAtJsonObject } from "../json.ts";

/** Beginnings of the types of tools that a provider runs, in every version. */
const HOSTED =
  /^(?:web_search|web_fetch|code_execution|code_interpreter|file_search|image_generation|computer|browser_toolset|mcp)(?:_|$)/;

/** The parts of a request that an upstream gets. */
interface OfferedTools {
  /** Format of the upstream. */
  readonly target: Dialect;
  /** Tools that it is told of. */
  readonly count: number;
  /** The hosted tool of another format that it has an equal of. */
  readonly carried?: number | undefined;
}

/**
 * Checks that a request does not rest on tools that the provider runs and this upstream does not have: an answer
 * without them would be made up. Throws INVALID_REQUEST that names the tool where it is demanded, or nothing else is
 * offered.
 */
export function checkHostedTools({ tools, toolChoice }: InferenceInput, offered: OfferedTools): void {
  if (toolChoice?.mode === ToolChoiceMode.NONE) return;
  const chosen = toolChoice?.mode === ToolChoiceMode.OPAQUE ? getType(toolChoice.opaque?.json) : undefined;
  for (const [index, { kind }] of tools.entries()) {
    if (kind.case !== "opaque" || kind.value.dialect === offered.target || index === offered.carried) continue;
    const type = getType(kind.value.json) ?? "";
    if (!HOSTED.test(type)) continue;
    if (chosen === type) {
      throw InferenceError.invalid("tool_choice", `requires a call of '${type}', ${MISSING}`);
    }
    if (offered.count === 0) {
      throw InferenceError.invalid(`tools[${index}]`, `no tool is left without '${type}', ${MISSING}`);
    }
  }
}

const MISSING =
  "which the provider runs itself and the upstream of this model does not have: choose another model, " +
  "or define a function";

function getType(json = ""): string | undefined {
  const type = lookAtJsonObject(json)?.["type"];
  return typeof type === "string" ? type.slice(0, 64) : undefined;
}
