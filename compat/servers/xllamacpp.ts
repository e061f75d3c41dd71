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

/** llama.cpp's server b11549 inside of a Python program, with a model that the script makes. */
export const xllamacpp: TestedServer = {
  name: "xllamacpp",
  version: "xllamacpp 2026.10.11549 (llama.cpp b11549)",
  profile: "llama.cpp",
  prompts: { ...TINY_PROMPTS, answersForAnyModel: true },
  window: 2048,
  async start(folder) {
    const bin = installPython(folder, ["xllamacpp==2026.10.11549", "gguf==0.19.0", "numpy==2.4.6"]);
    mkdirSync(folder, { recursive: true });
    const model = writeTinyModel(bin, join(folder, "tiny.gguf"));
    const port = await freePort();
    const script = join(import.meta.dirname, "xllamacpp-serve.py");
    const program = startProgram(folder, join(bin, "python"), [script, model, `${port}`]);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 180);
    return {
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
