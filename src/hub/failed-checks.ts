/**
 * The problems that a check of a finished answer may find: it was cut, it refuses, it says nothing; its text is no
 * JSON, or JSON that the schema does not accept; it calls a tool that is not there, or with arguments that are no JSON,
 * or that the tool's schema does not accept; its text is not of the pattern that the model is configured with; or a
 * webhook of the model's does not let it pass.
 */
export type FailedCheck =
  | "cut"
  | "refused"
  | "empty"
  | "invalid_json"
  | "schema_mismatch"
  | "unknown_tool"
  | "invalid_arguments"
  | "arguments_mismatch"
  | "pattern_mismatch"
  | "webhook_rejected";
