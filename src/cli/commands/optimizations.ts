import { OPTIMIZATION_NAMES, type OptimizationName } from "../../catalog/model.ts";
import { anyNumber, type CommandGroup, defineCommand, UsageError, type ValuesOf, withPreset } from "../command.ts";
import { json, PROJECT, SERVICE, SERVICE_HELP } from "../options.ts";
import { print, printJsonList, printTable } from "../output.ts";
import { changeSettings, withProject } from "../project-settings.ts";

const HELP = `
A project can switch off optimizations that the configuration allows. It cannot allow those that the configuration
forbids. It takes effect within a second in every process. See docs/models.md.`;

const MEANING: Record<OptimizationName, string> = {
  choice: "choose among a model's deployments",
  failover: "ask the next deployment when one fails",
  hedging: "ask a second deployment when the first is slow",
  coalescing: "share one call among identical simultaneous requests",
  cacheMarks: "mark prompts for prompt caches that use marks",
  cacheKeys: "send a key to prompt caches that use keys",
  flexTier: "let attune improve ask in the cheaper flex tier, where upstreams have one",
  responseCache: "reuse earlier answers for identical requests, where configured",
  checkedRetry: "ask once more when an answer fails its checks, where configured",
};

const NAMES = {
  names: withPreset({ ...anyNumber(`of ${OPTIMIZATION_NAMES.join(", ")}; all of them if absent`), read: readName }, []),
};

const OPTIONS = { ...PROJECT, ...SERVICE };

/** `attune optimizations`. */
export const optimizations: CommandGroup = {
  help: HELP + SERVICE_HELP,
  commands: {
    list: defineCommand({
      summary: "list the optimizations and their state",
      options: { ...PROJECT, ...json("list", ["name", "isOff", "description"]), ...SERVICE },
      async run({ json: isJson, ...options }) {
        await withProject(options, async (_, { name: project, settings }) => {
          const off = new Set(settings?.disabledOptimizations);
          const rows = OPTIMIZATION_NAMES.map((name) => ({ name, isOff: off.has(name), description: MEANING[name] }));
          if (isJson) return printJsonList(rows);
          print(`project ${project}`);
          printTable(
            ["NAME", "STATE", "DESCRIPTION"],
            rows.map(({ name, isOff, description }) => [name, isOff ? "off" : "as configured", description]),
          );
        });
      },
    }),
    off: defineCommand({
      summary: "switch some off, or all",
      arguments: NAMES,
      options: OPTIONS,
      run: (values) => switchThem("off", values),
    }),
    on: defineCommand({
      summary: "let the configuration decide on some again, or all",
      arguments: NAMES,
      options: OPTIONS,
      run: (values) => switchThem("on", values),
    }),
  },
};

/** Switches optimisations off for a project, or leaves them to the configuration again. */
async function switchThem(
  state: "off" | "on",
  { names: named, ...options }: ValuesOf<typeof NAMES> & ValuesOf<typeof OPTIONS>,
): Promise<void> {
  const names: readonly string[] = named.length === 0 ? OPTIMIZATION_NAMES : named;
  await withProject(options, async (admin, project) => {
    const others = (project.settings?.disabledOptimizations ?? []).filter((each) => !names.includes(each));
    const disabledOptimizations = state === "off" ? [...others, ...names] : others;
    await changeSettings(admin, project, { disabledOptimizations });
    print(`${project.name}: ${names.join(", ")} ${state === "off" ? "off" : "as configured"}`);
  });
}

function readName(text: string, before: readonly OptimizationName[] = []): readonly OptimizationName[] {
  const name = OPTIMIZATION_NAMES.find((known) => known === text);
  if (name === undefined) throw new UsageError(`must be of ${OPTIMIZATION_NAMES.join(", ")}`);
  return [...before, name];
}
