import type { Command } from "commander";
import { addJsonList, type JsonOptions } from "./json-option.ts";

/** Adds `attune models`. */
export function addModelsCommand(program: Command): void {
  const models = program.command("models").description("list what is known of models, and take newer public lists");
  addJsonList(
    models
      .command("list")
      .description("list the models that are served; with --all, those that the lists know")
      .option("--all", "list all models of the lists, by provider"),
    ["name", "price", "by"],
  ).action(async (options: { readonly all?: true } & JsonOptions) => {
    const { runModelsList } = await import("./run-models.ts");
    runModelsList(options);
  });
  addJsonList(
    models
      .command("show")
      .description("show each fact of a model, who says so, and where the lists disagree")
      .argument("<name>", "its name, with its provider or without: openai/gpt-6-astra"),
    ["fact", "value", "source"],
  ).action(async (name: string, options: JsonOptions) => {
    const { runModelsShow } = await import("./run-models.ts");
    runModelsShow(name, options);
  });
  models
    .command("update")
    .description("write newer lists beside attune.yaml, which go before those that come with Attune")
    .argument("[file]", "LiteLLM's model_prices_and_context_window.json; fetched from its repository if absent")
    .action(async (file: string | undefined) => {
      const { runModelsUpdate } = await import("./run-models.ts");
      await runModelsUpdate(file);
    });
}
