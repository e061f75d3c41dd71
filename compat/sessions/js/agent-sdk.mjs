// `node agent-sdk.mjs JSON`: takes a turn by the Claude Agent SDK, with a tool of its own and a picture in the prompt.
import { readFileSync } from "node:fs";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

const { model, prompt, isResumed = false, picture } = JSON.parse(process.argv[2]);
const lookup = tool("lookup", "Looks up a word.", { word: z.string() }, async ({ word }) => ({
  content: [{ type: "text", text: `saw-${word}` }],
}));

async function* spoken() {
  const source = { type: "base64", media_type: "image/png", data: readFileSync(picture, "base64") };
  const content = [
    { type: "text", text: prompt },
    { type: "image", source },
  ];
  yield { type: "user", session_id: "", parent_tool_use_id: null, message: { role: "user", content } };
}

const options = {
  model,
  continue: isResumed,
  permissionMode: "bypassPermissions",
  allowDangerouslySkipPermissions: true,
  mcpServers: { probe: createSdkMcpServer({ name: "probe", version: "1.0.0", tools: [lookup] }) },
  systemPrompt: { type: "preset", preset: "claude_code" },
};
for await (const message of query({ prompt: picture === undefined ? prompt : spoken(), options })) {
  if (message.type === "result") console.log(message.result ?? JSON.stringify(message));
}
