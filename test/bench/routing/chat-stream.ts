/** The streamed answer of the places, in the words of OpenAI's own. */
const head = {
  id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  object: "chat.completion.chunk",
  created: 1_800_000_000,
  model: "bench-2026-11-01",
  service_tier: "default",
  system_fingerprint: "fp_f7d0c0b1a2",
};

function frame(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...head, choices, usage: null })}\n\n`;
}

/** The tokens of every answer. */
export const TOKENS: readonly string[] = Array.from({ length: 8 }, (_, position) => `token${position} `);

const usage = { prompt_tokens: 200, completion_tokens: TOKENS.length, total_tokens: 200 + TOKENS.length };

/** What comes with the headers, before the model has said anything. */
export const ROLE_FRAME = frame({ role: "assistant", content: "", refusal: null });
export const TOKEN_FRAMES: readonly string[] = TOKENS.map((content) => frame({ content }));
export const LAST_FRAMES = `${frame({}, "stop")}data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`;
