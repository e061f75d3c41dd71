import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
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

// Its templates are Go's. The parts about tools and thoughts tell it that the model has both.
const MODELFILE = `FROM ./tiny.gguf
PARAMETER num_ctx 2048
PARAMETER temperature 0
TEMPLATE """{{ if .Tools }}<tools>{{ .Tools }}</tools>{{ end }}{{ range .Messages }}{{ .Content }}{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ if .ToolCalls }}<tool_call>
{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}{{ end }}
</tool_call>{{ end }}{{ end }}"""
`;

/** Ollama 0.17.4 on the processor, built by Go, with a model that the script makes. */
export const ollama: TestedServer = {
  name: "ollama",
  version: "github.com/ollama/ollama v0.17.4",
  profile: "ollama",
  prompts: TINY_PROMPTS,
  async start(folder) {
    const program = build(process.env.COMPAT_CACHE ?? folder);
    mkdirSync(folder, { recursive: true });
    const bin = installPython(join(folder, "py"), ["gguf==0.19.0", "numpy==2.4.6"]);
    writeTinyModel(bin, join(folder, "tiny.gguf"));
    writeFileSync(join(folder, "Modelfile"), MODELFILE);
    const port = await freePort();
    const env = {
      OLLAMA_HOST: `127.0.0.1:${port}`,
      OLLAMA_MODELS: join(folder, "models"),
      HOME: folder,
      OLLAMA_NUM_PARALLEL: "3",
    };
    const server = startProgram(folder, program, ["serve"], env);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`${url}/api/version`, 180);
    execFileSync(program, ["create", "tiny"], { cwd: folder, env: { ...process.env, ...env } });
    return { routes: { chat: `${url}/v1`, responses: `${url}/v1`, messages: url }, ...server };
  },
};

/** Returns the program, built by Go. Its module lacks headers of others, which Debian and PyPI have. */
function build(folder: string): string {
  const program = join(folder, "ollama");
  if (existsSync(program)) return program;
  const headers = join(folder, "headers");
  mkdirSync(headers, { recursive: true });
  const run = (command: string, ...args: string[]): void => {
    execFileSync(command, args, { cwd: headers, stdio: ["ignore", "ignore", "inherit"] });
  };
  run("sh", "-c", "apt-get download -q nlohmann-json3-dev libstb-dev && for deb in *.deb; do dpkg -x $deb .; done");
  run("python3", "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "miniaudio==1.71");
  run("tar", "xzf", "miniaudio-1.71.tar.gz");
  const env = {
    ...process.env,
    GOBIN: folder,
    CPATH: `${join(headers, "usr/include")}:${join(headers, "miniaudio-1.71")}`,
  };
  execFileSync("go", ["install", "github.com/ollama/ollama@v0.17.4"], { env, stdio: ["ignore", "ignore", "inherit"] });
  return program;
}
