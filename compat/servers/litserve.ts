import { join } from "node:path";
import { freePort, installPython, startProgram, type TestedServer, TINY_PROMPTS, untilReady } from "./server.ts";

/** LitServe 0.2.19 with its OpenAI format; the model is a script, as each of its operators writes one. */
export const litserve: TestedServer = {
  name: "litserve",
  version: "litserve 0.2.19",
  profile: "litserve",
  prompts: { ...TINY_PROMPTS, picture: "Look at it|", hasEyes: true, answersForAnyModel: true },
  async start(folder) {
    const bin = installPython(folder, ["litserve==0.2.19"]);
    const port = await freePort();
    const api = join(import.meta.dirname, "litserve-api.py");
    const program = startProgram(folder, join(bin, "python"), [api, `${port}`]);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 180);
    return { routes: { chat: `${url}/v1` }, ...program };
  },
};
