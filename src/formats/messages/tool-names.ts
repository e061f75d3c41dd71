/** Names that tools may have. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** The rule that a refused name is told. */
export const TOOL_NAME_RULE = "must have 1 to 128 characters out of a-z, A-Z, 0-9, _ and -";
