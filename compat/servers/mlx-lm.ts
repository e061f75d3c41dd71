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

/** mlx-lm's server 0.32.2 on the processor, with a model that the script makes. */
export const mlxLm: TestedServer = {
  name: "mlx-lm",
  version: "mlx-lm 0.32.2 (mlx 0.32.4 on the processor)",
  profile: "mlx-lm",
  prompts: TINY_PROMPTS,
  async start(folder) {
    const bin = installPython(folder, ["mlx-lm==0.32.2", "mlx[cpu]==0.32.4"]);
    const model = writeTinyModel(bin, join(folder, "tiny"));
    const port = await freePort();
    // It takes every name that it has not loaded for one of the hub.
    const env = { HF_HUB_OFFLINE: "1" };
    const program = startProgram(folder, join(bin, "mlx_lm.server"), ["--model", model, "--port", `${port}`], env);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 180);
    return { routes: { chat: `${url}/v1` }, model: "default_model", ...program };
  },
};
