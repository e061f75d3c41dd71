import { UPSTREAM_KINDS, type UpstreamKind } from "../../test/support/upstream-frames.ts";

type Json = Readonly<Record<string, unknown>>;

/** State that only servers of this kind can read. */
export function sealOf(kind: UpstreamKind): string {
  return Buffer.from(`sealed by the server of ${kind}, for nobody else`).toString("base64");
}

/** Returns what the servers of a format would refuse in a conversation; undefined where they take it. */
export function checkAsServersDo(kind: UpstreamKind, body: Json): string | undefined {
  const text = JSON.stringify(body);
  const foreign = UPSTREAM_KINDS.find((other) => other !== kind && text.includes(sealOf(other)));
  if (foreign !== undefined) return `sealed state of ${foreign} cannot be read`;
  return CHECKS[kind](body);
}

const CHECKS: Readonly<Record<UpstreamKind, (body: Json) => string | undefined>> = {
  chat(body) {
    let open = new Set<unknown>();
    for (const message of listOf(body["messages"])) {
      if (message["role"] === "tool") {
        if (!open.delete(message["tool_call_id"]))
          return `tool_call_id ${message["tool_call_id"]} has no call before it`;
        continue;
      }
      if (open.size > 0) return `tool_call_ids without a result: ${[...open].join(", ")}`;
      open = new Set(listOf(message["tool_calls"]).map(({ id }) => id));
    }
    return open.size > 0 ? `tool_call_ids without a result: ${[...open].join(", ")}` : undefined;
  },
  responses(body) {
    const input = listOf(body["input"]);
    const ids = input.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) return `Duplicate item found with id ${twice}`;
    const calls = input.filter(({ type }) => type === "function_call" || type === "custom_tool_call");
    const results = input.filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output");
    const called = new Set(calls.map((item) => item["call_id"]));
    const answered = new Set(results.map((item) => item["call_id"]));
    const unanswered = [...called].find((id) => !answered.has(id));
    if (unanswered !== undefined) return `No tool output found for function call ${unanswered}`;
    const uncalled = [...answered].find((id) => !called.has(id));
    return uncalled === undefined ? undefined : `No tool call found for function call output with call_id ${uncalled}`;
  },
  messages(body) {
    let open = new Set<unknown>();
    for (const { role, content } of listOf(body["messages"])) {
      const blocks = listOf(content);
      if (blocks.some(({ type, text }) => type === "text" && text === ""))
        return "text content blocks must be non-empty";
      const results = blocks.filter(({ type }) => type === "tool_result").map((block) => block["tool_use_id"]);
      const strange = results.find((id) => !open.has(id));
      if (strange !== undefined) return `unexpected tool_use_id found in tool_result blocks: ${strange}`;
      const missing = [...open].find((id) => !results.includes(id));
      if (missing !== undefined)
        return `tool_use ids were found without tool_result blocks immediately after: ${missing}`;
      const used = role === "assistant" ? blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id) : [];
      const odd = used.find((id) => !/^[a-zA-Z0-9_-]+$/.test(String(id)));
      if (odd !== undefined) return `tool_use.id ${odd} does not match ^[a-zA-Z0-9_-]+$`;
      open = new Set(used);
    }
    return open.size > 0 ? "tool_use ids were found without tool_result blocks" : undefined;
  },
};

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
