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

/** Hugging Face's `transformers serve` 5.19.0 on the processor, with a model that the script makes. */
export const transformers: TestedServer = {
  name: "transformers",
  version: "transformers[serving] 5.19.0",
  profile: "transformers",
  prompts: TINY_PROMPTS,
  async start(folder) {
    const bin = installPython(folder, ["transformers[serving]==5.19.0", "torch==2.13.0"]);
    const model = writeTinyModel(bin, join(folder, "tiny"));
    const port = await freePort();
    const args = ["serve", model, "--device", "cpu", "--host", "127.0.0.1", "--port", `${port}`];
    const program = startProgram(folder, join(bin, "transformers"), args, { HF_HUB_OFFLINE: "1" });
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 300);
    return { routes: { chat: `${url}/v1`, responses: `${url}/v1` }, model, ...program };
  },
};
