import { OPTIMIZATION_NAMES, type OptimizationName } from "../catalog/model.ts";
import { createProjectSettings } from "../store/dashboard/project-settings.ts";
import { findProject } from "./find-project.ts";
import { print, printTable } from "./output.ts";
import { withStore } from "./with-config.ts";

const MEANING: Record<OptimizationName, string> = {
  choice: "choose among a model's deployments",
  failover: "ask the next deployment when one fails",
  hedging: "ask a second deployment when the first is slow",
  coalescing: "share one call among identical simultaneous requests",
  cacheMarks: "mark prompts for prompt caches that use marks",
  cacheKeys: "send a key to prompt caches that use keys",
  responseCache: "reuse earlier answers for identical requests, where configured",
  checkedRetry: "ask once more when an answer fails its checks, where configured",
};

/** Lists the optimisations, and which of them a project has switched off. */
export async function runListOptimizations(project: string | undefined): Promise<void> {
  await withStore(async (store) => {
    const { id, name } = await findProject(store, project);
    const { optimizationsOff } = await createProjectSettings(store).read(id);
    const off = new Set(optimizationsOff);
    print(`project ${name}`);
    printTable(
      ["NAME", "STATE", "DESCRIPTION"],
      OPTIMIZATION_NAMES.map((each) => [each, off.has(each) ? "off" : "as configured", MEANING[each]]),
    );
  });
}

/**
 * Switches optimisations off for a project, or leaves them to the configuration again; all of them where none is named.
 */
export async function runSwitchOptimizations(
  state: "off" | "on",
  named: readonly OptimizationName[],
  project: string | undefined,
): Promise<void> {
  const names: readonly string[] = named.length === 0 ? OPTIMIZATION_NAMES : named;
  await withStore(async (store) => {
    const { id, name } = await findProject(store, project);
    const settings = createProjectSettings(store);
    const { optimizationsOff } = await settings.read(id);
    const others = optimizationsOff.filter((each) => !names.includes(each));
    await settings.set(id, { optimizationsOff: state === "off" ? [...others, ...names] : others });
    print(`${name}: ${names.join(", ")} ${state === "off" ? "off" : "as configured"}`);
  });
}
