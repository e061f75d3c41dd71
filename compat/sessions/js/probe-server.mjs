// An MCP server over stdio with one tool.
import { createInterface } from "node:readline";

const inputSchema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "probe", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "lookup", description: "Looks up a word.", inputSchema }] }),
  "tools/call": ({ arguments: { word } }) => ({ content: [{ type: "text", text: `saw-${word}` }] }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = results[method]?.(params ?? {});
  const answer = result === undefined ? { error: { code: -32601, message: "unknown method" } } : { result };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
}
