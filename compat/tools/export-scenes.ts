/**
 * `node export-scenes.ts PROTOCOL ENDPOINT`: plays the scenes of play-scenes.ts on a service of its own, which exports
 * all of them by a protocol of OTLP and has its name. Prints their ids as JSON.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { startTestService } from "../../test/support/service.ts";
import { modelsYaml, scriptModels } from "../clients/scripted-models.ts";

const [, , protocol = "", endpoint = ""] = process.argv;
const telemetry = {
  endpoint,
  protocol,
  serviceName: protocol,
  compression: "gzip",
  traces: { content: true },
  metrics: { intervalMs: 1000 },
};
const upstream = await startScriptedUpstream();
scriptModels(upstream);
const service = await startTestService({
  yaml: `${modelsYaml(upstream.url)}telemetry: ${JSON.stringify(telemetry)}\n`,
});
const env = { ...process.env, ATTUNE_URL: service.url, ATTUNE_KEY: service.key };
const scenes = spawn(process.execPath, [join(import.meta.dirname, "play-scenes.ts")], { env, stdio: "inherit" });
process.exitCode = await new Promise<number>((resolve) => scenes.on("close", (code) => resolve(code ?? 1)));
// Its last exports go out when it ends.
await service.close();
await upstream.close();
