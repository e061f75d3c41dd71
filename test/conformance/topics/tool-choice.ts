import { type TextCells, textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { FORMAT, requestMembers, TOOLS, userSays } from "../tool-request.ts";
import { INBOUND, type Inbound, type Topic, UPSTREAM_KINDS, type UpstreamKind } from "../topic.ts";

/** A way to choose tools: the members that say so, in each format. */
interface Choice {
  readonly name: string;
  readonly says: Readonly<Record<Inbound, Readonly<Record<string, unknown>>>>;
  /** The tools that a request defines, or an upstream receives, where it is not both. */
  readonly tools?: (inbound: Inbound, format: Inbound) => readonly object[];
  /** The members that an upstream receives, where they are not those that a caller of its format writes. */
  readonly receives?: (inbound: Inbound, format: Inbound) => Readonly<Record<string, unknown>> | undefined;
}

function choiceTopic({
  name,
  says,
  tools = (_inbound, format) => TOOLS[format],
  receives = () => undefined,
}: Choice): Topic {
  const question = "What now?";
  const cell = (inbound: Inbound, kind: UpstreamKind) => {
    const format = FORMAT[kind];
    const chosen = { tools: tools(inbound, format), ...(receives(inbound, format) ?? says[format]) };
    const members = Object.entries(chosen).map(([member, value]) => `"${member}":${JSON.stringify(value)}`);
    const echo = inbound === "responses" ? { echo: echoOf({ tools: TOOLS.responses, ...says.responses }) } : {};
    return { members: requestMembers(inbound, kind, { conversation: userSays(kind, question), members }), ...echo };
  };
  const cells = Object.fromEntries(
    INBOUND.map((inbound) => [inbound, Object.fromEntries(UPSTREAM_KINDS.map((kind) => [kind, cell(inbound, kind)]))]),
  ) as unknown as TextCells;
  const message = { role: "user", content: question };
  return {
    name,
    requests: {
      chat: { messages: [message], tools: tools("chat", "chat"), ...says.chat },
      responses: { input: question, tools: tools("responses", "responses"), ...says.responses },
      messages: { max_tokens: 64, messages: [message], tools: tools("messages", "messages"), ...says.messages },
    },
    upstreamAnswers: textAnswers(),
    routes: textRoutes(cells),
  };
}

function echoOf(members: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));
}

const only = (format: Inbound): readonly object[] => TOOLS[format].slice(1);

/** The tools may not be called, all of them may, one of them must. */
export const toolChoiceNone = choiceTopic({
  name: "tool choice: none",
  says: {
    chat: { tool_choice: "none" },
    responses: { tool_choice: "none" },
    messages: { tool_choice: { type: "none" } },
  },
});

export const toolChoiceAuto = choiceTopic({
  name: "tool choice: auto",
  says: {
    chat: { tool_choice: "auto" },
    responses: { tool_choice: "auto" },
    messages: { tool_choice: { type: "auto" } },
  },
});

export const toolChoiceRequired = choiceTopic({
  name: "tool choice: required",
  says: {
    chat: { tool_choice: "required" },
    responses: { tool_choice: "required" },
    messages: { tool_choice: { type: "any" } },
  },
});

export const toolChoiceNamed = choiceTopic({
  name: "tool choice: one named tool",
  says: {
    chat: { tool_choice: { type: "function", function: { name: "get_time" } } },
    responses: { tool_choice: { type: "function", name: "get_time" } },
    messages: { tool_choice: { type: "tool", name: "get_time" } },
  },
});

/**
 * Messages has no list of allowed tools: its callers define no others, and its upstreams are not told of others.
 * Servers of the Chat format differ in whether they know the list, so only who speaks that format sends it there.
 */
export const toolChoiceAllowed = choiceTopic({
  name: "tool choice: allowed tools",
  says: {
    chat: {
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "get_time" } }] },
      },
    },
    responses: {
      tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "get_time" }] },
    },
    messages: { tool_choice: { type: "any" } },
  },
  tools: (inbound, format) => {
    const isListed = inbound !== "messages" && (format === "responses" || format === inbound);
    return isListed ? TOOLS[format] : only(format);
  },
  receives: (inbound, format) => {
    if (format === "chat" && inbound !== "chat") return { tool_choice: "required" };
    return format === "responses" && inbound === "messages" ? { tool_choice: "required" } : undefined;
  },
});

/** At most one call in an answer. Messages says so inside of the choice, and the other way round. */
export const oneToolAtATime = choiceTopic({
  name: "one tool at a time",
  says: {
    chat: { parallel_tool_calls: false },
    responses: { parallel_tool_calls: false },
    messages: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
  },
  receives: (inbound, format) => {
    // What a Messages caller has to write for it is a choice too.
    return inbound === "messages" && format !== "messages"
      ? { tool_choice: "auto", parallel_tool_calls: false }
      : undefined;
  },
});

export const oneNamedToolAtATime = choiceTopic({
  name: "one tool at a time, and which",
  says: {
    chat: { ...toolChoiceNamedIn("chat"), parallel_tool_calls: false },
    responses: { ...toolChoiceNamedIn("responses"), parallel_tool_calls: false },
    messages: { tool_choice: { type: "tool", name: "get_time", disable_parallel_tool_use: true } },
  },
});

function toolChoiceNamedIn(format: "chat" | "responses"): Readonly<Record<string, unknown>> {
  const chosen = { name: "get_time" };
  return { tool_choice: { type: "function", ...(format === "chat" ? { function: chosen } : chosen) } };
}

/** No tool at all, and one at a time: Messages has no way to say the second beside the first, which says more. */
export const noToolAtATime = choiceTopic({
  name: "one tool at a time, and none",
  says: {
    chat: { tool_choice: "none", parallel_tool_calls: false },
    responses: { tool_choice: "none", parallel_tool_calls: false },
    messages: { tool_choice: { type: "none" } },
  },
  receives: (inbound, format) =>
    inbound === "messages" && format !== "messages" ? { tool_choice: "none" } : undefined,
});

/** Every topic of this file. */
export const toolChoices: readonly Topic[] = [
  toolChoiceNone,
  toolChoiceAuto,
  toolChoiceRequired,
  toolChoiceNamed,
  toolChoiceAllowed,
  oneToolAtATime,
  oneNamedToolAtATime,
  noToolAtATime,
];
