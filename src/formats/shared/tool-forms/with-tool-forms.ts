import { create } from "@bufbuild/protobuf";
import {
  ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
  Role,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { isBillingLine, withoutBillingLine } from "../../../hub/billing-line.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { CountCall, Upstream, UpstreamTarget } from "../../../hub/upstream.ts";
import { toText } from "../json.ts";
import { readResponsesJson, responsesJson } from "../responses-json.ts";
import { nameTools } from "../tool-names/name-tools.ts";
import { applyUpdates } from "./apply-updates.ts";
import { chooseByWord } from "./choose-by-word.ts";
import { clientTools } from "./client-tools.ts";
import { customsToFunctions } from "./customs-to-functions.ts";
import { deferTools } from "./defer-tools.ts";
import { gatherTools } from "./gather-tools.ts";
import { inSteps, namingPlaces, type RewrittenInput } from "./rewritten-input.ts";
import { tellAgents } from "./tell-agents.ts";
import { tellSummary } from "./tell-summary.ts";
import { areToolsOwn, type ToolRules } from "./tool-rules.ts";

/** In their order: each sees what those before it have made of a request. */
const STEPS = [
  dropBillingLine,
  tellSummary,
  tellUncalled,
  tellAgents,
  applyUpdates,
  gatherTools,
  clientTools,
  nameTools,
  deferTools,
  customsToFunctions,
  chooseByWord,
];

/**
 * Gives an upstream tools of kinds and names that it takes, wherever in a request they stand, and gives its calls back
 * as the caller knows them. What clients say to one provider alone is left out for others.
 */
export function withToolForms(upstream: Upstream, rules: ToolRules): Upstream {
  const { prepareCount, fingerprint } = upstream;
  const rewrite = (input: HubInput): RewrittenInput | undefined =>
    isTextAlone(input) ? dropBillingLine(input, rules) : inSteps(input, rules, STEPS);
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

/** Tells whether there are texts and nothing else, in which no step but the first finds anything. */
function isTextAlone({ tools, toolChoice, messages }: HubInput): boolean {
  return tools.length === 0 && toolChoice === undefined && messages.every(isTextMessage);
}

function isTextMessage({ role, content }: Message): boolean {
  return role !== Role.UNSPECIFIED && content.every(({ kind }) => kind.case === "text");
}

/** Translates a request, and names places in it as in the caller's. */
function atPlaces<Call extends { readonly losses: readonly string[] }>(
  { losses, placeOf }: RewrittenInput,
  prepare: () => Call,
): Call {
  const call = namingPlaces(placeOf, prepare);
  return { ...call, losses: [...new Set([...losses, ...call.losses.map(placeOf)])] };
}

/** Leaves out the billing line of Claude Code for upstreams other than those of its format. It is told to no model. */
function dropBillingLine(input: HubInput, { ownDialect }: ToolRules): RewrittenInput | undefined {
  const system = ownDialect === Dialect.MESSAGES ? input.system : withoutBillingLine(input.system);
  if (system === input.system) return undefined;
  const positions = input.system.flatMap((block, index) => (isBillingLine(block) ? [] : [index]));
  return {
    input: { ...input, system: [...system] },
    losses: [],
    placeOf: (place) =>
      place.replace(/^system\[(\d+)\]/, (_whole, digits) => `system[${positions[Number(digits)] ?? digits}]`),
  };
}

/**
 * Has the user say what a client ran of its own accord, with the name of what it ran: other formats have results of
 * calls alone. The name of a result that its call has too says no more than the call's id. Undefined where there is
 * neither.
 */
function tellUncalled(input: HubInput, rules: ToolRules): RewrittenInput | undefined {
  if (areToolsOwn(input, rules) || !input.messages.some(isNamedResult)) return undefined;
  const called = new Map<string, unknown>();
  const messages = input.messages.map((message) => {
    for (const { kind } of message.content) if (kind.case === "toolUse") called.set(kind.value.id, kind.value.name);
    return isNamedResult(message) ? tell(message, called) : message;
  });
  return { input: { ...input, messages }, losses: [], placeOf: (place) => place };
}

function isNamedResult({ content: [block], extension }: Message): boolean {
  if (block?.kind.case !== "toolResult") return false;
  return block.kind.value.toolUseId === "" || extension?.json.includes('"name"') === true;
}

function tell(message: Message, called: ReadonlyMap<string, unknown>): Message {
  const { content } = message;
  const [block] = content;
  if (block?.kind.case !== "toolResult") return message;
  const { name, ...rest } = readResponsesJson(message.extension) ?? {};
  if (block.kind.value.toolUseId === "") {
    const named = create(ContentBlockSchema, { kind: { case: "text", value: { text: `${toText(name)}:` } } });
    return create(MessageSchema, { role: Role.USER, content: [named, ...block.kind.value.content] });
  }
  if (typeof name !== "string" || called.get(block.kind.value.toolUseId) !== name) return message;
  const { extension: _extension, ...others } = message;
  const extension = Object.keys(rest).length === 0 ? undefined : responsesJson(rest);
  const made = create(MessageSchema, { ...others, content: [], ...(extension && { extension }) });
  // Blocks are known by their identity.
  made.content = content;
  return made;
}
