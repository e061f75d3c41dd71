import { MAX_TOOL_NAME, toolNamePattern } from "../shared/tool-names/flat-names.ts";

/** Names that tools may have. */
export const TOOL_NAME = toolNamePattern(MAX_TOOL_NAME.messages);

/** The rule that a refused name is told. */
export const TOOL_NAME_RULE = `must have 1 to ${MAX_TOOL_NAME.messages} characters out of a-z, A-Z, 0-9, _ and -`;
