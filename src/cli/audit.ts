import type { Command } from "commander";

const HELP = `
The configuration (audit) sets which deployments are compared, and how often. See docs/equivalence.md.`;

/** Adds `attune audit list|show|put-back`. */
export function addAuditCommand(program: Command): void {
  const audit = program
    .command("audit")
    .description("compare the answers of deployments with those of their model's first one")
    .addHelpText("after", HELP);
  audit
    .command("list")
    .description("list the compared deployments")
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
    .option("--trust", "never take it out again, regardless of the evidence")
    .action(async (model: string, upstream: string, upstreamModel: string, { trust = false }: { trust?: boolean }) =>
      (await import("./run-audit.ts")).runPutBack({ model, place: { upstream, model: upstreamModel } }, trust),
    );
}
