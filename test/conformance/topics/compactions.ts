import { seal } from "../../../src/inference/history/seal.ts";
import { testSigner } from "../../support/test-signer.ts";
import { type TextCells, textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

const ORDINARY = '"messages":[{"role":"user","content":"And?"}]';
const ITEMS = '"input":[{"type":"message","role":"user","content":"And?"}]';
const elsewhere = { upstream: "elsewhere", model: "another" };
const summary = seal(testSigner, elsewhere, Buffer.from("It is cold in Oslo.").toString("base64"), "summary");
const own = seal(testSigner, elsewhere, "gAAAAB-state==", "compaction");

const SAID = "This is a summary of our conversation so far:\\n\\nIt is cold in Oslo.";
const TURNS = `"messages":[{"role":"user","content":"${SAID}"},{"role":"user","content":"And?"}]`;
/** Turns of one role are one there. */
const ONE_TURN = `"messages":[{"role":"user","content":[{"type":"text","text":"${SAID}"},{"type":"text","text":"And?"}]}]`;
const SUMMED = `"input":[{"type":"message","role":"user","content":"${SAID}"},{"type":"message","role":"user","content":"And?"}]`;

/** What callers receive whose formats have no compactions. */
const ordinary: Pick<TextCells, "chat" | "messages"> = {
  chat: {
    "openai-chat": { members: ORDINARY },
    "openai-responses": { members: ITEMS },
    "anthropic-messages": { members: `"max_tokens":4096,${ORDINARY}` },
  },
  messages: {
    "openai-chat": { members: `${ORDINARY},"max_tokens":64` },
    "openai-responses": { members: `${ITEMS},"max_output_tokens":64` },
    "anthropic-messages": { members: `"max_tokens":64,${ORDINARY}` },
  },
};

function topicOf(name: string, encrypted_content: string, responses: TextCells["responses"]): Topic {
  const user = { role: "user", content: "And?" };
  return {
    name,
    absentIn: ["chat", "messages"],
    requests: {
      chat: { messages: [user] },
      responses: { input: [{ type: "compaction", id: "cmp_1", encrypted_content }, user] },
      messages: { max_tokens: 64, messages: [user] },
    },
    upstreamAnswers: textAnswers(),
    routes: textRoutes({ ...ordinary, responses }),
  };
}

/** A conversation that a model has summarised for POST /v1/responses/compact: whoever goes on is told the summary. */
export const summaries: Topic = topicOf("compactions that are summaries", summary, {
  "openai-chat": { members: TURNS },
  "openai-responses": { members: SUMMED },
  "anthropic-messages": { members: `"max_tokens":4096,${ONE_TURN}` },
});

/** The compaction of an upstream, which nobody else can read. */
export const compactionsOfAnotherOrigin: Topic = topicOf("compactions of another upstream", own, {
  "openai-chat": { members: ORDINARY, losses: ["input[0]"] },
  "openai-responses": { members: ITEMS, losses: ["input[0]"] },
  "anthropic-messages": { members: `"max_tokens":4096,${ORDINARY}`, losses: ["input[0]"] },
});
