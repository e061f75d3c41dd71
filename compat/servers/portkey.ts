import { join } from "node:path";
import { llamaServer } from "./llama-server.ts";
import { freePort, type Gateway, installNpm, startProgram, type TestedServer, untilReady } from "./server.ts";

/** Portkey's gateway 1.15.2 before llama-server. */
export const portkey: TestedServer = {
  name: "portkey",
  version: "@portkey-ai/gateway 1.15.2 before llama-server b10434",
  profile: "portkey",
  prompts: llamaServer.prompts,
  window: llamaServer.window,
  async start(folder) {
    const behind = await llamaServer.start(join(folder, "llama"));
    const { program, url, headers } = await startPortkey(join(folder, "gateway"), behind.routes.chat ?? "");
    const stop = (): void => {
      program.stop();
      behind.stop();
    };
    return { ...behind, routes: { chat: url }, headers, stop };
  },
};

/** Installs the gateway into a folder, and starts it before a server of Chat. */
export async function startPortkey(folder: string, baseUrl: string) {
  installNpm(folder, "@portkey-ai/gateway@1.15.2");
  const port = await freePort();
  const main = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  const program = startProgram(folder, process.execPath, [main, `--port=${port}`, "--headless"]);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, 180);
  const headers = { "x-portkey-provider": "openai", "x-portkey-custom-host": baseUrl };
  return { program, url: `${url}/v1`, model: "tiny", headers } satisfies Gateway;
}
