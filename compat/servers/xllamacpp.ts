import { join } from "node:path";
import { llamaCppServer } from "./llama-cpp.ts";

/** llama.cpp's server b11549 inside of a Python program. */
export const xllamacpp = llamaCppServer({
  name: "xllamacpp",
  version: "xllamacpp 2026.10.11549 (llama.cpp b11549)",
  requirement: "xllamacpp==2026.10.11549",
  program: "python",
  listArguments: (model, port) => [join(import.meta.dirname, "xllamacpp-serve.py"), model, `${port}`],
});
