import { mkdirSync, writeFileSync } from "node:fs";
import { key, print, run, url } from "./steps.mjs";

mkdirSync(".codex", { recursive: true });
const toml = `model_provider = "attune"\n[model_providers.attune]\nname = "Attune"\nbase_url = "${url}/v1"\nenv_key = "ATTUNE_KEY"\nwire_api = "responses"\n`;
writeFileSync(".codex/config.toml", toml);
const options = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];

await run({
  async "a loop with its shell"(model) {
    const text = await print("codex", [...options, "-m", model, "Look around"], { ATTUNE_KEY: key });
    if (!/looked/.test(text)) throw new Error(`its shell did not run: ${text.slice(-2000)}`);
    return { text };
  },
});
