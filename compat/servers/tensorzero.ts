import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { llamaServer } from "./llama-server.ts";
import { type Gateway, installPython, sleep, startProgram, type TestedServer } from "./server.ts";

// Its package has the gateway for clients that start one; the port is of its own choice.
const START = `
import os, sys, time, tensorzero
arguments = dict(clickhouse_url=None, postgres_url=None, valkey_url=None, async_setup=False)
gateway = tensorzero._start_http_gateway(config_file=sys.argv[1], **arguments)
open(sys.argv[2] + ".part", "w").write(gateway.base_url)
os.rename(sys.argv[2] + ".part", sys.argv[2])
time.sleep(1e6)
`;

/** TensorZero's gateway 2026.6.0 before llama-server. */
export const tensorzero: TestedServer = {
  name: "tensorzero",
  version: "tensorzero 2026.6.0 before llama-server b10434",
  profile: "tensorzero",
  prompts: llamaServer.prompts,
  window: llamaServer.window,
  async start(folder) {
    const behind = await llamaServer.start(join(folder, "llama"));
    const { program, url, model } = await startTensorzero(join(folder, "gateway"), behind.routes.chat ?? "");
    const stop = (): void => {
      program.stop();
      behind.stop();
    };
    const embedder = "tensorzero::embedding_model_name::tiny";
    return { ...behind, routes: { chat: url }, model, embedder, stop };
  },
};

/** Installs the gateway into a folder, and starts it before a server of Chat. */
export async function startTensorzero(folder: string, baseUrl: string): Promise<Gateway> {
  mkdirSync(folder, { recursive: true });
  const bin = installPython(folder, ["tensorzero==2026.6.0"]);
  const kinds = ["models", "embedding_models"].map(
    (kind) => `[${kind}.tiny]
routing = ["local"]
[${kind}.tiny.providers.local]
type = "openai"
api_base = "${baseUrl}"
model_name = "tiny"
api_key_location = "none"
`,
  );
  // Without it, every picture is 500.
  const storage = '[object_storage]\ntype = "disabled"\n';
  writeFileSync(join(folder, "tensorzero.toml"), storage + kinds.join(""));
  const start = join(folder, "start.py");
  writeFileSync(start, START);
  const address = join(folder, "base-url");
  const program = startProgram(folder, join(bin, "python"), [start, join(folder, "tensorzero.toml"), address]);
  for (const end = Date.now() + 180_000; !existsSync(address) && Date.now() < end; ) await sleep(200);
  return { program, url: readFileSync(address, "utf8"), model: "tensorzero::model_name::tiny" };
}
