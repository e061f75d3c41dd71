import type { Command } from "commander";

const HELP = `
Which deployments are compared, and how much, is said in the configuration (audit). See docs/equivalence.md.`;

/** Adds `attune audit list|show|put-back`. */
export function addAuditCommand(program: Command): void {
  const audit = program
    .command("audit")
    .description("how the answers of deployments compare with those of the first one of their model")
    .addHelpText("after", HELP);
  audit
    .command("list")
    .description("list the deployments that were compared")
    .action(async () => (await import("./run-audit.ts")).runList());
  const addDeployment = (name: string, description: string) =>
    audit
      .command(name)
      .description(description)
      .argument("<model>", "name of the model")
      .argument("<upstream>", "name of the upstream")
      .argument("<upstream-model>", "model as the upstream calls it");
  addDeployment("show", "show what comparing a deployment told, and what happened to it").action(
    async (model: string, upstream: string, upstreamModel: string) =>
      (await import("./run-audit.ts")).runShow({ model, place: { upstream, model: upstreamModel } }),
  );
  addDeployment("put-back", "have a deployment asked again that proved different; it is compared anew")
    .option("--trust", "never take it out again, whatever it proves")
    .action(async (model: string, upstream: string, upstreamModel: string, { trust = false }: { trust?: boolean }) =>
      (await import("./run-audit.ts")).runPutBack({ model, place: { upstream, model: upstreamModel } }, trust),
    );
}
