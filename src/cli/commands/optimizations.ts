import { OPTIMIZATION_NAMES, type OptimizationName } from "../../catalog/model.ts";
import { type AdminClient, defineAdminCommand } from "../admin-client.ts";
import { anyNumber, type CommandGroup, UsageError, type ValuesOf, withPreset } from "../command.ts";
import { json, PROJECT, SERVICE_HELP } from "../options.ts";
import { print, printJsonList, printTable } from "../output.ts";
import { changeSettings, readProject } from "../project-settings.ts";

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
  checkedRetry: "ask again when an answer fails its checks, where configured",
};

const NAMES = {
  names: withPreset({ ...anyNumber(`of ${OPTIMIZATION_NAMES.join(", ")}; all of them if absent`), read: readName }, []),
};

/** `attune optimizations`. */
export const optimizations: CommandGroup = {
  help: HELP + SERVICE_HELP,
  commands: {
    list: defineAdminCommand({
      summary: "list the optimizations and their state",
      options: { ...PROJECT, ...json("list", ["name", "isOff", "description"]) },
      async run(admin, { json: isJson, ...options }) {
        const { name: project, settings } = await readProject(admin, options.project);
        const off = new Set(settings?.disabledOptimizations);
        const rows = OPTIMIZATION_NAMES.map((name) => ({ name, isOff: off.has(name), description: MEANING[name] }));
        if (isJson) return printJsonList(rows);
        print(`project ${project}`);
        printTable(
          ["NAME", "STATE", "DESCRIPTION"],
          rows.map(({ name, isOff, description }) => [name, isOff ? "off" : "as configured", description]),
        );
      },
    }),
    off: defineAdminCommand({
      summary: "switch some off, or all",
      arguments: NAMES,
      options: PROJECT,
      run: (admin, values) => switchThem(admin, "off", values),
    }),
    on: defineAdminCommand({
      summary: "let the configuration decide on some again, or all",
      arguments: NAMES,
      options: PROJECT,
      run: (admin, values) => switchThem(admin, "on", values),
    }),
  },
};

/** Switches optimisations off for a project, or leaves them to the configuration again. */
async function switchThem(
  admin: AdminClient,
  state: "off" | "on",
  { names: named, ...options }: ValuesOf<typeof NAMES & typeof PROJECT>,
): Promise<void> {
  const names: readonly string[] = named.length === 0 ? OPTIMIZATION_NAMES : named;
  const project = await readProject(admin, options.project);
  const others = (project.settings?.disabledOptimizations ?? []).filter((each) => !names.includes(each));
  const disabledOptimizations = state === "off" ? [...others, ...names] : others;
  await changeSettings(admin, project, { disabledOptimizations });
  print(`${project.name}: ${names.join(", ")} ${state === "off" ? "off" : "as configured"}`);
}

function readName(text: string, before: readonly OptimizationName[] = []): readonly OptimizationName[] {
  const name = OPTIMIZATION_NAMES.find((known) => known === text);
  if (name === undefined) throw new UsageError(`must be of ${OPTIMIZATION_NAMES.join(", ")}`);
  return [...before, name];
}
