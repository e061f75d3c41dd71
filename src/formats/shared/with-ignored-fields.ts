import { ReasoningEffort } from "../../../gen/attune/content/v1/content_pb.ts";
import type { IgnorableField } from "../../catalog/facts.ts";
import type { HubInput } from "../../hub/input.ts";
import { inOrder } from "../../hub/places.ts";
import type { Upstream, UpstreamTarget } from "../../hub/upstream.ts";

const SAID_OTHERWISE: ReadonlySet<ReasoningEffort> = new Set([ReasoningEffort.UNSPECIFIED, ReasoningEffort.NONE]);

/** Returns a request without a field; undefined if it says nothing there. */
const WITHOUT: Readonly<Record<IgnorableField, (input: HubInput) => HubInput | undefined>> = {
  stop_sequences: (input) => (input.stopSequences.length === 0 ? undefined : { ...input, stopSequences: [] }),
  output_format: ({ outputFormat, ...rest }) => {
    const kind = outputFormat?.kind.case;
    return kind === undefined || kind === "text" ? undefined : rest;
  },
  "reasoning.effort": (input) => {
    const { reasoning } = input;
    // Where nothing is to be thought, formats have other members that say so.
    if (reasoning === undefined || SAID_OTHERWISE.has(reasoning.effort)) return undefined;
    return { ...input, reasoning: { ...reasoning, effort: ReasoningEffort.UNSPECIFIED } };
  },
};

/** Keeps from an upstream the fields of a request that it would take and ignore, and names them as lost. */
export function withIgnoredFields(upstream: Upstream, fields: readonly IgnorableField[]): Upstream {
  if (fields.length === 0) return upstream;
  const { fingerprint } = upstream;
  return {
    ...upstream,
    prepare(input, target) {
      const { rest, losses } = leaveOut(input, fields);
      const call = upstream.prepare(rest, target);
      return losses.length === 0 ? call : { ...call, losses: inOrder([...new Set([...losses, ...call.losses])]) };
    },
    ...(fingerprint === undefined
      ? {}
      : {
          fingerprint(input: HubInput, target: UpstreamTarget): string {
            const { rest, losses } = leaveOut(input, fields);
            const known = fingerprint(rest, target);
            return losses.length === 0 ? known : JSON.stringify([known, losses]);
          },
        }),
  };
}

function leaveOut(input: HubInput, fields: readonly IgnorableField[]) {
  const losses: IgnorableField[] = [];
  let rest = input;
  for (const field of fields) {
    const without = WITHOUT[field](rest);
    if (without === undefined) continue;
    rest = without;
    losses.push(field);
  }
  return { rest, losses };
}
