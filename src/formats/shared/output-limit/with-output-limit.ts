import { Dialect, type RawJson, ThinkingMode } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { inOrder } from "../../../hub/places.ts";
import type { Upstream, UpstreamCall, UpstreamTarget } from "../../../hub/upstream.ts";
import { parseJsonObject } from "../json.ts";
import { AnswerCutter } from "./answer-cutter.ts";

/** The limits of answers that a kind of upstream takes. */
export interface OutputRules {
  /** Fewest tokens of an answer. */
  readonly leastTokens: number;
  /** True if thinking has a budget of tokens, which has to stay below the limit. */
  readonly hasBudget: boolean;
}

/** A request whose limit the upstream and its model take. */
interface LimitedInput {
  readonly input: HubInput;
  /** Tokens that the answer is cut to; undefined if it is left as it comes. */
  readonly cutTo: number | undefined;
  readonly losses: readonly string[];
}

/**
 * Gives an upstream limits of the answer that it takes: one above the model's own is lowered to it, and one below
 * `leastTokens` is raised, and the answer cut. Either is a loss.
 */
export function withOutputLimit(upstream: Upstream, rules: OutputRules): Upstream {
  const { fingerprint } = upstream;
  return {
    ...upstream,
    prepare(input, target) {
      const limited = limitOutput(input, target, rules);
      return limited === undefined ? upstream.prepare(input, target) : prepareLimited(upstream, limited, target);
    },
    ...(fingerprint === undefined
      ? {}
      : {
          fingerprint(input: HubInput, target: UpstreamTarget): string {
            const limited = limitOutput(input, target, rules);
            if (limited === undefined) return fingerprint(input, target);
            return JSON.stringify([fingerprint(limited.input, target), limited.cutTo ?? null, limited.losses]);
          },
        }),
  };
}

function prepareLimited(upstream: Upstream, limited: LimitedInput, target: UpstreamTarget): UpstreamCall {
  const call = upstream.prepare(limited.input, target);
  const losses = inOrder([...new Set([...limited.losses, ...call.losses])]);
  const { cutTo } = limited;
  if (cutTo === undefined) return { ...call, losses };
  return {
    ...call,
    losses,
    send(sink, signal) {
      const cutter = new AnswerCutter(cutTo);
      return call.send((events) => sink(cutter.cut(events)), signal);
    },
  };
}

/** Returns the request within the limits; undefined if it is within them. */
function limitOutput(
  input: HubInput,
  { model }: UpstreamTarget,
  { leastTokens, hasBudget }: OutputRules,
): LimitedInput | undefined {
  const { maxOutputTokens: requested, reasoning } = input;
  if (requested === undefined) return undefined;
  const allowed = Math.min(requested, model.maxOutputTokens);
  const sent = Math.max(leastTokens, allowed);
  if (sent === requested) return undefined;
  const cutTo = allowed < sent ? allowed : undefined;
  const budget = hasBudget && reasoning?.mode === ThinkingMode.ENABLED ? reasoning.budgetTokens : undefined;
  const limited = { ...input, maxOutputTokens: sent, extension: lowerOlder(input.extension, sent) };
  // A budget that was within the limit has to stay so; one beyond it goes by another rule.
  if (reasoning === undefined || budget === undefined || budget >= requested || budget < sent)
    return { input: limited, cutTo, losses: ["max_output_tokens"] };
  const lowered = { ...reasoning, budgetTokens: sent - 1 };
  const losses = ["max_output_tokens", "reasoning.budget_tokens"];
  return { input: { ...limited, reasoning: lowered }, cutTo, losses };
}

/** Lowers the older name of the limit, which Chat callers have beside the hub's field. */
function lowerOlder(extension: RawJson | undefined, limit: number): RawJson | undefined {
  if (extension?.dialect !== Dialect.CHAT || !extension.json.includes('"max_tokens"')) return extension;
  const members = parseJsonObject(extension.json);
  const older = members?.["max_tokens"];
  if (typeof older !== "number" || older <= limit) return extension;
  return { ...extension, json: JSON.stringify({ ...members, max_tokens: limit }) };
}
