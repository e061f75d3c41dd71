import { key, print, run, url } from "./steps.mjs";

const env = {
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_AUTH_TOKEN: key,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
  DISABLE_AUTOUPDATER: "1",
};

await run({
  async "a loop with its shell"(model) {
    const options = [
      "-p",
      "Look around",
      "--model",
      model,
      "--allowedTools",
      "Bash",
      "--output-format",
      "stream-json",
      "--verbose",
    ];
    const text = await print("claude", options, env);
    if (!text.includes('"looked"')) throw new Error(`its shell did not run: ${text.slice(-2000)}`);
    return { text: /"result":"([^"]*)/.exec(text)?.[1] };
  },
});
