import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, installNpm, startProgram, type TestedServer, untilReady } from "./server.ts";

const look = { toolCalls: [{ name: "look", arguments: '{"ok":true}' }] };

/** CopilotKit's aimock 1.43.0, which answers by fixtures in all three formats. */
export const aimock: TestedServer = {
  name: "aimock",
  version: "@copilotkit/aimock 1.43.0",
  profile: "unknown",
  prompts: { greet: "Greet me>", call: "Look it up^", object: "Give an object>" },
  async start(folder) {
    installNpm(folder, "@copilotkit/aimock@1.43.0");
    const fixtures = [
      { match: { userMessage: "Greet me>" }, response: { content: "Hi there!" } },
      { match: { userMessage: "Give an object>" }, response: { content: '{"ok":true}' } },
      { match: { userMessage: "Look it up^" }, response: look },
    ];
    writeFileSync(join(folder, "fixtures.json"), JSON.stringify({ fixtures }));
    const port = await freePort();
    const main = join(folder, "node_modules/@copilotkit/aimock/dist/cli.js");
    const program = startProgram(folder, process.execPath, [
      main,
      "-p",
      `${port}`,
      "-f",
      join(folder, "fixtures.json"),
    ]);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 180);
    return {
      routes: { chat: `${url}/v1`, responses: `${url}/v1`, messages: url },
      ...program,
    };
  },
};
