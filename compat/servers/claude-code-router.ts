import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { llamaServer } from "./llama-server.ts";
import { freePort, installNpm, startProgram, type TestedServer, untilReady } from "./server.ts";

/** Claude Code Router 2.0.0, which has the route of Messages alone, before llama-server's route of Chat. */
export const claudeCodeRouter: TestedServer = {
  name: "claude-code-router",
  version: "@musistudio/claude-code-router 2.0.0 before llama-server b10434",
  profile: "claude-code-router",
  prompts: llamaServer.prompts,
  window: llamaServer.window,
  async start(folder) {
    const behind = await llamaServer.start(join(folder, "llama"));
    installNpm(folder, "@musistudio/claude-code-router@2.0.0");
    const port = await freePort();
    const provider = { name: "local", api_base_url: `${behind.routes.chat}/chat/completions`, api_key: "none" };
    const config = { HOST: "127.0.0.1", PORT: port, LOG: false, Router: { default: "local,tiny" } };
    mkdirSync(join(folder, ".claude-code-router"), { recursive: true });
    writeFileSync(
      join(folder, ".claude-code-router/config.json"),
      JSON.stringify({ ...config, Providers: [{ ...provider, models: ["tiny"] }] }),
    );
    const main = join(folder, "node_modules/@musistudio/claude-code-router/dist/cli.js");
    const program = startProgram(folder, process.execPath, [main, "start"], { HOME: folder });
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 180);
    const stop = (): void => {
      program.stop();
      behind.stop();
    };
    return { ...behind, routes: { messages: url }, model: "local,tiny", stop };
  },
};
