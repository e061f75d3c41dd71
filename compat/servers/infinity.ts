import { join } from "node:path";
import { freePort, installPython, startProgram, type TestedServer, TINY_PROMPTS, untilReady } from "./server.ts";

/** Infinity 0.0.78, which makes embeddings alone, with the engine that it has for tests: it needs no model. */
export const infinity: TestedServer = {
  name: "infinity",
  version: "infinity-emb 0.0.78",
  profile: "unknown",
  prompts: TINY_PROMPTS,
  async start(folder) {
    const bin = installPython(folder, ["infinity-emb[server]==0.0.78"]);
    const port = await freePort();
    const args = ["v2", "--model-id", "tiny", "--engine", "debugengine", "--host", "127.0.0.1", "--port", `${port}`];
    const program = startProgram(folder, join(bin, "infinity_emb"), args, { HF_HUB_OFFLINE: "1", DO_NOT_TRACK: "1" });
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 180);
    return { routes: { chat: url }, embedder: "tiny", embedsAlone: true, ...program };
  },
};
