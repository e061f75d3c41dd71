import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { llamaServer } from "./llama-server.ts";
import { freePort, type Gateway, installPython, startProgram, type TestedServer, untilReady } from "./server.ts";

/** LiteLLM's proxy 1.108.7 before llama-server. */
export const litellm: TestedServer = {
  name: "litellm",
  version: "litellm[proxy] 1.108.7 before llama-server b10434",
  profile: "litellm",
  prompts: llamaServer.prompts,
  window: llamaServer.window,
  async start(folder) {
    const behind = await llamaServer.start(join(folder, "llama"));
    const { program, url } = await startLitellm(join(folder, "proxy"), behind.routes.chat ?? "");
    const stop = (): void => {
      program.stop();
      behind.stop();
    };
    // It passes a caller's leaving on late, or not at all for whole answers: nobody can ask it whether it is idle.
    const { isIdle: _late, ...rest } = behind;
    return { ...rest, routes: { chat: url, responses: url, messages: url.replace(/\/v1$/, "") }, stop };
  },
};

/** Installs the proxy into a folder, and starts it before a server of Chat. */
export async function startLitellm(folder: string, baseUrl: string): Promise<Gateway> {
  mkdirSync(folder, { recursive: true });
  const bin = installPython(folder, ["litellm[proxy]==1.108.7"]);
  const target = { model: "openai/tiny", api_base: baseUrl, api_key: "none" };
  // It does not start without a key of its own unless it is told that it may.
  const general_settings = { dangerously_permit_weak_or_unset_master_key: true };
  const config = { model_list: [{ model_name: "*", litellm_params: target }], general_settings };
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const port = await freePort();
  const args = ["--config", join(folder, "config.yaml"), "--host", "127.0.0.1", "--port", `${port}`];
  const program = startProgram(folder, join(bin, "litellm"), args);
  await untilReady(`http://127.0.0.1:${port}/health/liveliness`, 180);
  return { program, url: `http://127.0.0.1:${port}/v1`, model: "tiny" };
}
