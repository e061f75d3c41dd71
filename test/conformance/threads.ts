import type { UpstreamKind } from "./topic.ts";

/** The turns of a thread, which only the Messages format has. Each goes on with the one before it. */
export const THREAD_TURNS: readonly object[] = [
  {
    max_tokens: 64,
    system: "Be brief.",
    messages: [{ role: "user", content: "Why?" }],
    thread: { type: "create" },
  },
  {
    max_tokens: 64,
    messages: [{ role: "user", content: "Really?" }],
    thread: { type: "continue", previous_message_id: "<previous>" },
  },
];

/** What an upstream of each kind receives in each turn; each is answered "Hello". */
export const THREAD_RECEIVED: Readonly<Record<UpstreamKind, readonly string[]>> = {
  "openai-chat": [
    '{"model":"real-chat","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Why?"}],"max_tokens":64}',
    '{"model":"real-chat","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Why?"},' +
      '{"role":"assistant","content":"Hello"},{"role":"user","content":"Really?"}],"max_tokens":64}',
  ],
  "openai-responses": [
    '{"model":"real-responses","instructions":"Be brief.","input":[{"type":"message","role":"user","content":"Why?"}],' +
      '"max_output_tokens":64,"store":false}',
    '{"model":"real-responses","instructions":"Be brief.","input":[{"type":"message","role":"user","content":"Why?"},' +
      '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello","annotations":[]}]},' +
      '{"type":"message","role":"user","content":"Really?"}],"max_output_tokens":64,"store":false}',
  ],
  "anthropic-messages": [
    '{"model":"real-messages","max_tokens":64,"system":"Be brief.","messages":[{"role":"user","content":"Why?"}]}',
    '{"model":"real-messages","max_tokens":64,"system":"Be brief.","messages":[{"role":"user","content":"Why?"},' +
      '{"role":"assistant","content":"Hello"},{"role":"user","content":"Really?"}]}',
  ],
};
