import { type Command, Option } from "commander";

const HELP = `
Prints the configuration on standard output, and what has no counterpart on standard error, each by its place in the
file. Keys that stand in the file are not carried over: references to variables take their place.`;

/** Adds `attune import`. */
export function addImportCommand(program: Command): void {
  const imports = program.command("import").description("make an attune.yaml of another product's configuration");
  imports
    .command("litellm")
    .description("import the configuration of LiteLLM's proxy: models, places, aliases, budgets")
    .argument("<file>", "its config.yaml")
    .addOption(
      new Option(
        "--model-map <file>",
        "LiteLLM's model_prices_and_context_window.json, for windows and prices that the file leaves out",
      ),
    )
    .addOption(outOption())
    .addHelpText("after", HELP)
    .action(async (file: string, options: { readonly modelMap?: string; readonly out?: string }) => {
      const { runImportLitellm } = await import("./run-import.ts");
      await runImportLitellm(file, options);
    });
  imports
    .command("tensorzero")
    .description("import the configuration of TensorZero's gateway: models and their providers")
    .argument("<file>", "its tensorzero.toml")
    .addOption(outOption())
    .addHelpText("after", HELP)
    .action(async (file: string, options: { readonly out?: string }) => {
      const { runImportTensorzero } = await import("./run-import.ts");
      await runImportTensorzero(file, options);
    });
  imports
    .command("local")
    .description("make it of the servers that run models on this host: Ollama, LM Studio, llama.cpp, vLLM, SGLang")
    .addOption(outOption())
    .action(async (options: { readonly out?: string }) => {
      const { runImportLocal } = await import("./run-import.ts");
      await runImportLocal(options);
    });
}

function outOption(): Option {
  return new Option("--out <file>", "write it there, in place of standard output; a file that exists is left alone");
}
