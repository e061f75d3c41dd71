import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { withoutBillingLine } from "../../../hub/billing-line.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { RewrittenInput } from "./rewritten-input.ts";
import type { ToolRules } from "./tool-rules.ts";

/** Leaves out the billing line of Claude Code for upstreams other than those of its format. It is told to no model. */
export function dropBillingLine(input: HubInput, { ownDialect }: ToolRules): RewrittenInput | undefined {
  const system = ownDialect === Dialect.MESSAGES ? input.system : withoutBillingLine(input.system);
  if (system === input.system) return undefined;
  const dropped = input.system.length - system.length;
  return {
    input: { ...input, system: [...system] },
    losses: [],
    placeOf: (place) => place.replace(/^system\[(\d+)\]/, (_whole, digits) => `system[${Number(digits) + dropped}]`),
  };
}
