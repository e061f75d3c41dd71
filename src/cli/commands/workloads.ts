import { timestampDate } from "@bufbuild/protobuf/wkt";
import { LearningModeSchema } from "../../../gen/attune/workload/v1/workload_pb.ts";
import type { ControlSettings } from "../../vocabulary/control-fields.ts";
import { describeMetric } from "../../vocabulary/metric-overrides.ts";
import { type AdminClient, defineAdminCommand, readPages } from "../admin-client.ts";
import { anyNumber, argument, type CommandGroup, choice, negation, option, type ValuesOf } from "../command.ts";
import { describeProject, json, PROJECT, PROJECT_OR_ALL, readNumber, SERVICE_HELP } from "../options.ts";
import { fail, print, printJson, printJsonList, printTable } from "../output.ts";
import { cancelRebuild, rebuild } from "../rebuild.ts";
import { DETAIL_MEMBERS, SUMMARY_MEMBERS, toJsonSummary, toJsonWorkload } from "../workload-json.ts";
import { readMode, SETTING_NOUNS, SETTINGS, toChanges, toUpdate } from "../workload-settings.ts";
import { describeControls, describeHold, printWorkload, toWord } from "../workload-text.ts";

const SHOWN_EVENTS = 20;

const HELP = `
A workload is a project's calls of one model, its base. Without --model, a setting applies to all workloads
of the project without settings of their own. It takes effect within a second in every process. See docs/steering.md.
`;

const MODEL = { model: argument("base of the workload") };

/** The options of commands on a workload, or on all of a project. */
const TARGET = {
  ...PROJECT,
  model: option("model", "base of the workload; all of the project if absent"),
};

type Target = ValuesOf<typeof TARGET>;

/** `attune workloads`. */
export const workloads: CommandGroup = {
  help: HELP + SERVICE_HELP,
  commands: {
    list: defineAdminCommand({
      summary: "list the workloads with learned state",
      options: { ...PROJECT, ...json("list", SUMMARY_MEMBERS) },
      async run(admin, { project, json: isJson }) {
        const found = await readPages("workloads", (page) => admin.listWorkloads({ project, ...page }));
        if (isJson) return printJsonList(found.map(toJsonSummary));
        if (found.length === 0) return print("no workload has learned state yet");
        const rows = found.map(({ model, controls, rewards, updatedAt }) => [
          model,
          toWord(LearningModeSchema, controls?.mode ?? 0),
          describeHold(controls),
          String(rewards),
          updatedAt === undefined ? "" : timestampDate(updatedAt).toISOString(),
        ]);
        printTable(["MODEL", "MODE", "HELD", "REWARDS", "LEARNED"], rows);
      },
    }),

    show: defineAdminCommand({
      summary: "show the learned state and the events of a workload",
      arguments: MODEL,
      options: { ...PROJECT, ...json("object", [...SUMMARY_MEMBERS, ...DETAIL_MEMBERS]) },
      async run(admin, { model, project, json: isJson }) {
        const { workload } = await admin.getWorkload({ project, model });
        const { events } = await admin.listWorkloadHistory({ project, model, pageSize: SHOWN_EVENTS });
        if (workload === undefined) return;
        if (isJson) printJson(toJsonWorkload(workload, events));
        else printWorkload(workload, events);
      },
    }),

    mode: defineAdminCommand({
      summary: "set the mode",
      arguments: {
        mode: argument(
          "off: learn nothing; observe: record decisions only; on: other models may answer; default: inherit",
          readMode,
        ),
      },
      options: TARGET,
      run: (admin, { mode, ...target }) =>
        change(admin, target, { mode: mode === "default" ? null : mode }, `mode ${mode}`),
    }),

    freeze: defineAdminCommand({
      summary: "let only the base model answer; Attune still learns",
      options: TARGET,
      run: (admin, target) => change(admin, target, { hold: "frozen", pinned: null }, "frozen: only base answers"),
    }),

    pin: defineAdminCommand({
      summary: "let one model answer wherever it can",
      arguments: { answering: argument("name of the model") },
      options: TARGET,
      run: (admin, { answering, ...target }) =>
        change(admin, target, { hold: "pinned", pinned: answering }, `pinned: ${answering} answers wherever it can`),
    }),

    free: defineAdminCommand({
      summary: "end freeze and pin",
      options: TARGET,
      // Of a workload, those of its project too.
      run: (admin, target) =>
        change(
          admin,
          target,
          { hold: target.model === undefined ? null : "free", pinned: null },
          "free: the policy chooses",
        ),
    }),

    exclude: defineAdminCommand({
      summary: "exclude models from answering instead of the base model; without names, exclude none",
      arguments: {
        models: anyNumber("names of the models: they replace the current list"),
      },
      options: TARGET,
      async run(admin, { models, ...target }) {
        const excluded = [...new Set(models)];
        const text = excluded.length === 0 ? "no model is excluded" : `excluded: ${excluded.join(", ")}`;
        await change(admin, target, { excluded: excluded.length === 0 ? null : excluded }, text);
      },
    }),

    metric: defineAdminCommand({
      summary: "set how a metric counts; without options, remove its settings",
      arguments: { name: argument("its name, with dots where it is nested") },
      options: {
        ...TARGET,
        weight: option("share", "0 to 1: how much it counts; 0: only guarded", readNumber),
        direction: choice("direction", "better direction, if the client doesn't say", ["max", "min"]),
        atLeast: option("bound", "lowest mean of a model that may answer instead of the base model", readNumber),
        atMost: option("bound", "highest mean of such a model", readNumber),
      },
      async run(admin, { name, weight, direction, atLeast, atMost, ...target }) {
        const given = Object.entries({ weight, direction, atLeast, atMost }).filter(([, value]) => value !== undefined);
        const metric = { name, ...Object.fromEntries(given) };
        await change(admin, target, { metrics: [metric] }, describeMetric(metric));
      },
    }),

    set: defineAdminCommand({
      summary: `set ${SETTING_NOUNS.slice(0, -1).join(", ")} and ${SETTING_NOUNS.at(-1)}`,
      options: { ...TARGET, ...SETTINGS },
      help: '\nThe value "default" leaves a setting to the project, and there to the configuration.',
      async run(admin, { project, model, url: _, ...values }) {
        const changes = toChanges(values);
        if (Object.keys(changes).length === 0) fail("nothing to set: see attune workloads set --help");
        await update(admin, { project, model }, changes);
        print(describeTarget({ project, model }));
        const { workload } = await admin.getWorkload({ project, model: model ?? "" });
        if (workload !== undefined) for (const line of describeControls(workload)) print(line);
      },
    }),

    reset: defineAdminCommand({
      summary: "reset the learned state of a workload",
      arguments: MODEL,
      options: PROJECT,
      async run(admin, target) {
        await admin.resetWorkload(target);
        print(`${describeTarget(target)} is reset`);
      },
    }),

    rebuild: defineAdminCommand({
      summary: "rebuild the learned state from all inferences and feedback in the database",
      options: {
        ...PROJECT_OR_ALL,
        wait: negation("only ask for it: a service that runs does it in the background"),
      },
      help: "\nAttune can keep running: new feedback waits and is learned afterward. Deleted records can't be learned.",
      run: rebuild,
    }),

    "cancel-rebuild": defineAdminCommand({
      summary: "cancel a rebuild that waits or runs; it replaces nothing",
      options: PROJECT,
      run: cancelRebuild,
    }),
  },
};

function describeTarget({ project, model = "all workloads" }: Target): string {
  return `${model} in ${describeProject(project)}`;
}

async function change(
  admin: AdminClient,
  target: Target,
  changes: Partial<ControlSettings>,
  text: string,
): Promise<void> {
  await update(admin, target, changes);
  print(`${describeTarget(target)}: ${text}`);
}

/** Changes what is said of a workload, or of all of a project; models are named as callers do. */
async function update(
  admin: AdminClient,
  { project, model }: Target,
  changes: Partial<ControlSettings>,
): Promise<void> {
  const all = { case: "allWorkloads", value: true } as const;
  const target = model === undefined ? all : ({ case: "model", value: model } as const);
  await admin.updateControls({ project, target, ...toUpdate(changes), mergeMetrics: true });
}
