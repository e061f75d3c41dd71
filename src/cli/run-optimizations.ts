import { OPTIMIZATION_NAMES, type OptimizationName } from "../catalog/model.ts";
import type { JsonOptions } from "./json-option.ts";
import { print, printJsonList, printTable } from "./output.ts";
import { type ProjectOptions, setSettings, withProject } from "./run-project-settings.ts";

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
export async function runListOptimizations(options: ProjectOptions & JsonOptions): Promise<void> {
  await withProject(options, async (_, { name, settings }) => {
    const off = new Set(settings?.disabledOptimizations);
    if (options.json) {
      return printJsonList(
        OPTIMIZATION_NAMES.map((each) => ({ name: each, isOff: off.has(each), description: MEANING[each] })),
      );
    }
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
  options: ProjectOptions,
): Promise<void> {
  const names: readonly string[] = named.length === 0 ? OPTIMIZATION_NAMES : named;
  await withProject(options, async (admin, project) => {
    const others = (project.settings?.disabledOptimizations ?? []).filter((each) => !names.includes(each));
    const disabledOptimizations = state === "off" ? [...others, ...names] : others;
    await setSettings(admin, project, { disabledOptimizations });
    print(`${project.name}: ${names.join(", ")} ${state === "off" ? "off" : "as configured"}`);
  });
}
