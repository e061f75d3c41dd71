import { type Command, Option } from "commander";

const HELP = `
Prints the configuration on standard output, and what has no counterpart on standard error, each by its place in the
file. Keys that stand in the file are not carried over: references to variables take their place.`;

const ROWS_HELP = `
ClickHouse writes both files: SELECT * FROM ChatInference FORMAT JSONEachRow. A row has the mean score of each variant for
one datapoint; datapoints without a score of every variant are left out, and counted on standard error.`;

interface EvaluationOptions {
  readonly function?: string;
  readonly metric?: string;
  readonly out?: string;
}

/** Adds `attune import`. */
export function addImportCommand(program: Command): void {
  const imports = program
    .command("import")
    .description("make an attune.yaml of another product's configuration, or rows of its scores");
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
    .command("tensorzero-evaluations")
    .description("make rows for 'attune replay' of what TensorZero's evaluations have scored")
    .argument("<inferences>", "rows of ChatInference or JsonInference, as JSON lines")
    .argument("<feedback>", "rows of BooleanMetricFeedback or FloatMetricFeedback, as JSON lines")
    .option("--function <name>", "the function, where the file has several")
    .option("--metric <name>", "the metric, where the file has several")
    .option("--out <file>", "write the rows there, in place of standard output; a file that exists is left alone")
    .addHelpText("after", ROWS_HELP)
    .action(async (inferences: string, feedback: string, options: EvaluationOptions) => {
      const { runImportEvaluations } = await import("./run-import.ts");
      await runImportEvaluations({ inferences, feedback }, options);
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
