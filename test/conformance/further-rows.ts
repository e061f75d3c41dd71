import { COUNTING } from "./counting.ts";
import { IRREGULAR_CASES } from "./irregular/cases.ts";
import { ERROR_CASES } from "./irregular/errors.ts";
import { byKey, INBOUND, type Inbound, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";

/** A row of the matrix whose cases are of another shape than a topic's. */
export interface MatrixRow {
  readonly name: string;
  readonly cells: Readonly<Record<Inbound, Readonly<Record<UpstreamKind, string>>>>;
}

function row(name: string, cell: (inbound: Inbound, kind: UpstreamKind) => string): MatrixRow {
  return { name, cells: byKey(INBOUND, (inbound) => byKey(UPSTREAM_KINDS, (kind) => cell(inbound, kind))) };
}

/** A dash: an upstream of the kind cannot answer so. */
function irregular(name: string): MatrixRow {
  const kinds = new Set(IRREGULAR_CASES.filter((entry) => entry.row === name).map(({ kind }) => kind));
  return row(name, (_inbound, kind) => (kinds.has(kind) ? "works" : "–"));
}

/**
 * What is asked for besides one answer, and answers that are not as their format says: further-routes.test.ts and
 * irregular-answers.slow.ts and irregular-errors.test.ts run the cases.
 */
export const FURTHER_ROWS: readonly MatrixRow[] = [
  ...[...new Set(IRREGULAR_CASES.map((entry) => entry.row))].map(irregular),
  ...ERROR_CASES.map((entry) => row(entry.row, () => "works")),
  // test/conformance/output-limits.test.ts runs these.
  row("a limit above the model's own", () => "lowered, named"),
  row("a limit below 16 tokens", (_inbound, kind) => (kind === "openai-responses" ? "16, cut, named" : "works")),
  // test/conformance/tool-names.test.ts runs these.
  row("names of tools that the upstream does not take", (inbound, kind) => {
    return inbound === "responses" && kind === "openai-responses" ? "as they are" : "works";
  }),
  // test/conformance/chat-servers.test.ts runs these.
  row("content in parts, as Mistral answers", (_inbound, kind) => (kind === "openai-chat" ? "works" : "–")),
  row("tokens of a prompt, counted", (inbound, kind) => COUNTING[inbound]?.routes[kind].how ?? "–"),
  row("threads, begun and gone on with", (inbound) => (inbound === "messages" ? "works" : "–")),
  // test/integration/model-names.test.ts and conversations.test.ts run these, and
  // test/agents/thinking-with-tools.test.ts.
  row("models by bare names and aliases", () => "works"),
  row("conversations", (inbound) => (inbound === "responses" ? "works" : "–")),
  row("thinking of a tool loop, put back from the record", (inbound, kind) =>
    inbound === "chat" && kind !== "openai-chat" ? "works" : "–",
  ),
  // test/integration/web-searches.test.ts runs this.
  row("web searches in another format's form, sent back to their provider", (inbound, kind) => {
    const isMessages = inbound === "responses" && kind === "anthropic-messages";
    return isMessages || (inbound === "messages" && kind === "openai-responses") ? "works" : "–";
  }),
  // test/integration/embeddings.test.ts runs this.
  row("embeddings, of the Embeddings format", (_inbound, kind) => (kind === "anthropic-messages" ? "–" : "works")),
  // test/integration/envelopes.test.ts runs this.
  row("paths that do not exist, in the format of the headers", () => "works"),
  // test/agents/call-members.test.ts runs this.
  row("members of a call that only Chat knows, put back from the record", (inbound, kind) =>
    inbound !== "chat" && kind === "openai-chat" ? "works" : "–",
  ),
  // test/conformance/chat-profiles.test.ts runs these.
  row("instructions in the middle, where a profile has none", (_inbound, kind) =>
    kind === "openai-chat" ? "of the user, named" : "–",
  ),
  // test/formats/chat/request/profiles.test.ts runs these.
  row("one named tool, where a profile takes words alone", (_inbound, kind) =>
    kind === "openai-chat" ? "works" : "–",
  ),
  row("an object, where a profile has schemas alone", (inbound, kind) =>
    kind === "openai-chat" && inbound !== "messages" ? "works" : "–",
  ),
  row("a schema, where a profile has none", (_inbound, kind) => (kind === "openai-chat" ? "JSON, named" : "–")),
];
