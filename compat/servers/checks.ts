import type { Asked, Got } from "./callers.ts";
import type { Prompts, Route } from "./server.ts";

/** One thing that is asked of each server, by each format, over each of its routes. */
export interface Check {
  readonly name: string;
  /** Formats whose callers can ask for it; all if absent. */
  readonly formats?: readonly Route[];
  /** Returns the request; undefined if the server has no answer that shows it. */
  readonly ask: (prompts: Prompts, window: number | undefined) => Asked | undefined;
  /** Tells whether the answer is the one that was asked for. */
  readonly holds?: (got: Got) => boolean;
  /** The code or words of the error that has to come. */
  readonly fails?: RegExp;
  /** Asks for a model that the server does not have. */
  readonly isForAbsentModel?: true;
}

const GREETING = "Hi there!";

const isGreeting = ({ texts, finish }: Got): boolean => texts.every((text) => text === GREETING) && finish === "stop";
const isCall = ({ calls, finish }: Got): boolean =>
  calls.length > 0 && calls.every(({ name, args }) => name === "look" && hasOk(args)) && finish === "tool_calls";
const isLess = ({ texts, finish }: Got): boolean => texts[0] === "<" && finish === "stop";
const isThought = (got: Got): boolean => isGreeting(got) && got.reasoning.trim() === "Hm.";
const isCounted = ({ inputTokens, outputTokens }: Got): boolean => inputTokens > 0 && outputTokens > 0;

function hasOk(json: string): boolean {
  try {
    return typeof JSON.parse(json).ok === "boolean";
  } catch {
    return false;
  }
}

const greeting =
  (more: Partial<Asked> = {}): Check["ask"] =>
  ({ greet }) => ({ prompt: greet, ...more });
const endless =
  (more: Partial<Asked>): Check["ask"] =>
  (prompts) =>
    prompts.endless === undefined ? undefined : { prompt: prompts.endless, ...more };

const less =
  (more: Partial<Asked>): Check["ask"] =>
  (prompts) =>
    prompts.less === undefined ? undefined : { prompt: prompts.less, tool: "auto", ...more };
const thinking =
  (more: Partial<Asked>): Check["ask"] =>
  (prompts) =>
    prompts.think === undefined ? undefined : { prompt: prompts.think, ...more };

/** All checks, in the order of the matrix. */
export const CHECKS: readonly Check[] = [
  { name: "a text", ask: greeting(), holds: isGreeting },
  { name: "a stream", ask: greeting({ streamed: true }), holds: isGreeting },
  { name: "usage", ask: greeting(), holds: isCounted },
  { name: "usage of a stream", ask: greeting({ streamed: true }), holds: isCounted },
  { name: "a limit", ask: endless({ limit: 20 }), holds: ({ finish }) => finish === "length" },
  {
    name: "a limit of a stream",
    ask: endless({ limit: 20, streamed: true }),
    holds: ({ finish }) => finish === "length",
  },
  {
    name: "a stop sequence",
    formats: ["chat", "messages"],
    ask: endless({ stop: "k" }),
    holds: ({ texts, finish }) => texts[0] === "abcdfg" && finish === "stop",
  },
  { name: "a tool", ask: ({ call }) => ({ prompt: call, tool: "auto" }), holds: isCall },
  { name: "a tool in a stream", ask: ({ call }) => ({ prompt: call, tool: "auto", streamed: true }), holds: isCall },
  {
    name: "a tool that has a name alone",
    ask: ({ call }) => ({ prompt: call, tool: "bare" }),
    holds: ({ calls, finish }) => calls[0]?.name === "look" && finish === "tool_calls",
  },
  { name: "a required tool", ask: ({ call }) => ({ prompt: call, tool: "required" }), holds: isCall },
  { name: "a named tool", ask: ({ call }) => ({ prompt: call, tool: "named" }), holds: isCall },
  { name: "a tool's result", ask: greeting({ hasResult: true }), holds: isGreeting },
  {
    name: "a schema",
    ask: ({ object }) => ({ prompt: object, schema: true }),
    holds: ({ texts }) => hasOk(texts[0] ?? ""),
  },
  {
    name: "two answers",
    formats: ["chat"],
    ask: greeting({ n: 2 }),
    holds: (got) => isGreeting(got) && got.texts.length === 2,
  },
  { name: "an effort", ask: greeting({ effort: "high" }), holds: isGreeting },
  { name: "thinking", ask: thinking({}), holds: isThought },
  { name: "thinking in a stream", ask: thinking({ streamed: true }), holds: isThought },
  { name: "a text that ends like a tag begins", ask: less({}), holds: isLess },
  { name: "such a text in a stream", ask: less({ streamed: true }), holds: isLess },
  {
    name: "a picture",
    ask: ({ picture }) => (picture === undefined ? undefined : { prompt: picture, picture: true }),
    holds: isGreeting,
  },
  {
    name: "a picture for a model without eyes",
    ask: ({ greet, hasEyes }) => (hasEyes ? undefined : { prompt: greet, picture: true }),
    fails: /\b400\b/,
  },
  {
    name: "an unknown model",
    ask: ({ greet, answersForAnyModel }) => (answersForAnyModel ? undefined : { prompt: greet }),
    isForAbsentModel: true,
    fails: /model_not_found|not_found_error/,
  },
  {
    name: "a prompt that is too long",
    ask: ({ greet }, window) => (window === undefined ? undefined : { prompt: `${"a b ".repeat(window)}${greet}` }),
    fails: /context_length_exceeded|prompt is too long/,
  },
];
