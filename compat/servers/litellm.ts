import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { llamaServer } from "./llama-server.ts";
import { freePort, installPython, startProgram, type TestedServer, untilReady } from "./server.ts";

/** LiteLLM's proxy 1.108.7 before llama-server. */
export const litellm: TestedServer = {
  name: "litellm",
  version: "litellm[proxy] 1.108.7 before llama-server b10434",
  profile: "litellm",
  prompts: llamaServer.prompts,
  window: llamaServer.window,
  async start(folder) {
    const behind = await llamaServer.start(join(folder, "llama"));
    const bin = installPython(join(folder, "proxy"), ["litellm[proxy]==1.108.7"]);
    const target = { model: "openai/tiny", api_base: behind.routes.chat, api_key: "none" };
    // It does not start without a key of its own unless it is told that it may.
    const general_settings = { dangerously_permit_weak_or_unset_master_key: true };
    const config = { model_list: [{ model_name: "*", litellm_params: target }], general_settings };
    writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
    const port = await freePort();
    const args = ["--config", join(folder, "config.yaml"), "--host", "127.0.0.1", "--port", `${port}`];
    const program = startProgram(folder, join(bin, "litellm"), args);
    const url = `http://127.0.0.1:${port}`;
    const stop = (): void => {
      program.stop();
      behind.stop();
    };
    await untilReady(`${url}/health/liveliness`, 180);
    // It passes a caller's leaving on late, or not at all for whole answers: nobody can ask it whether it is idle.
    const { isIdle: _late, ...rest } = behind;
    return { ...rest, routes: { chat: `${url}/v1`, responses: `${url}/v1`, messages: url }, stop };
  },
};
