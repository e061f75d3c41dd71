import type { HubInput } from "../../../hub/input.ts";
import type { CountCall, Upstream, UpstreamTarget } from "../../../hub/upstream.ts";
import { nameTools } from "../tool-names/name-tools.ts";
import { customsToFunctions } from "./customs-to-functions.ts";
import { deferTools } from "./defer-tools.ts";
import { dropBillingLine } from "./drop-billing-line.ts";
import { gatherTools } from "./gather-tools.ts";
import { inSteps, namingPlaces, type RewrittenInput } from "./rewritten-input.ts";
import { tellUncalled } from "./tell-uncalled.ts";
import type { ToolRules } from "./tool-rules.ts";

/**
 * Gives an upstream tools of kinds and names that it takes, wherever in a request they stand, and gives its calls back
 * as the caller knows them. What clients say to one provider alone is left out for others.
 */
export function withToolForms(upstream: Upstream, rules: ToolRules): Upstream {
  const { prepareCount, fingerprint } = upstream;
  const rewrite = (input: HubInput): RewrittenInput | undefined =>
    inSteps(input, [
      (asked) => dropBillingLine(asked, rules),
      (asked) => tellUncalled(asked, rules),
      (asked) => gatherTools(asked, rules),
      (asked) => nameTools(asked, rules),
      (asked) => deferTools(asked, rules),
      (asked) => customsToFunctions(asked, rules),
    ]);
  return {
    ...upstream,
    prepare(input, target) {
      const rewritten = rewrite(input);
      if (rewritten === undefined) return upstream.prepare(input, target);
      const call = atPlaces(rewritten, () => upstream.prepare(rewritten.input, target));
      const { createRestore } = rewritten;
      if (createRestore === undefined) return call;
      return {
        ...call,
        send(sink, signal) {
          const restore = createRestore();
          return call.send((events) => {
            const restored = restore(events);
            return restored.length === 0 ? undefined : sink(restored);
          }, signal);
        },
      };
    },
    ...(prepareCount === undefined
      ? {}
      : {
          prepareCount(input: HubInput, target: UpstreamTarget): CountCall {
            const rewritten = rewrite(input);
            if (rewritten === undefined) return prepareCount(input, target);
            return atPlaces(rewritten, () => prepareCount(rewritten.input, target));
          },
        }),
    ...(fingerprint === undefined
      ? {}
      : {
          fingerprint(input: HubInput, target: UpstreamTarget): string {
            const rewritten = rewrite(input);
            if (rewritten === undefined) return fingerprint(input, target);
            return JSON.stringify([fingerprint(rewritten.input, target), rewritten.restored]);
          },
        }),
  };
}

/** Translates a request, and names places in it as in the caller's. */
function atPlaces<Call extends { readonly losses: readonly string[] }>(
  { losses, placeOf }: RewrittenInput,
  prepare: () => Call,
): Call {
  const call = namingPlaces(placeOf, prepare);
  return { ...call, losses: [...new Set([...losses, ...call.losses.map(placeOf)])] };
}
