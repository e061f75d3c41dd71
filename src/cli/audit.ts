import type { Command } from "commander";
import { addJsonList, addJsonObject, type JsonOptions } from "./json-option.ts";

const HELP = `
The configuration (audit) sets which deployments are compared, and how often. See docs/equivalence.md.`;

const SUMMARY_MEMBERS = [
  ...["model", "upstream", "upstreamModel", "standing", "differentBy", "samples", "match", "baseMatch"],
];
const DETAIL_MEMBERS = ["comparedWith", "askedTwice", "distance", "baseDistance", "measures", "history"];

/** Adds `attune audit list|show|put-back`. */
export function addAuditCommand(program: Command): void {
  const audit = program
    .command("audit")
    .description("compare the answers of deployments with those of their model's first one")
    .addHelpText("after", HELP);
  addJsonList(audit.command("list").description("list the compared deployments"), SUMMARY_MEMBERS).action(
    async (options: JsonOptions) => (await import("./run-audit.ts")).runList(options),
  );
  const addDeployment = (name: string, description: string) =>
    audit
      .command(name)
      .description(description)
      .argument("<model>", "name of the model")
      .argument("<upstream>", "name of the upstream")
      .argument("<upstream-model>", "model as the upstream calls it");
  const show = addDeployment("show", "show what comparing a deployment told, and what happened to it");
  addJsonObject(show, [...SUMMARY_MEMBERS, ...DETAIL_MEMBERS]).action(
    async (model: string, upstream: string, upstreamModel: string, options: JsonOptions) =>
      (await import("./run-audit.ts")).runShow({ model, place: { upstream, model: upstreamModel } }, options),
  );
  addDeployment("put-back", "have a deployment asked again that proved different; it is compared anew")
    .option("--trust", "never take it out again, regardless of the evidence")
    .action(async (model: string, upstream: string, upstreamModel: string, { trust = false }: { trust?: boolean }) =>
      (await import("./run-audit.ts")).runPutBack({ model, place: { upstream, model: upstreamModel } }, trust),
    );
}
