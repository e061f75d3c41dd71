import type { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { ServerFacts } from "../../../catalog/facts.ts";
import type { HubInput } from "../../../hub/input.ts";

/** The tools that an upstream takes. */
export interface ToolRules {
  /** Most characters of a name. */
  readonly maxLength: number;
  /**
   * Format whose callers' tools go on as they are, whatever they are: namespaces, tools in the input, references to
   * deferred tools. Absent for an upstream that knows functions alone.
   */
  readonly ownDialect?: Dialect;
  /**
   * Callers whose tools with free text input go on as they are: those of any caller, of callers of a format, or
   * nobody's.
   */
  readonly customTools: "any" | Dialect | "none";
  /** Choices that the server takes; absent: all, and for Chat, whose own encoder knows. */
  readonly toolChoices?: ServerFacts["toolChoices"] | undefined;
}

/** Tells whether the tools of a request go on as they are. */
export function areToolsOwn({ dialect }: HubInput, { ownDialect }: ToolRules): boolean {
  return ownDialect !== undefined && ownDialect === dialect;
}
