import { timestampDate } from "@bufbuild/protobuf/wkt";
import { LearningModeSchema } from "../../../gen/attune/workload/v1/workload_pb.ts";
import { DEFAULT_PROJECT } from "../../store/entities/project.ts";
import type { ControlSettings } from "../../vocabulary/control-fields.ts";
import { describeMetric } from "../../vocabulary/metric-overrides.ts";
import { type AdminClient, readPages, withAdmin } from "../admin-client.ts";
import {
  anyNumber,
  argument,
  type CommandGroup,
  choice,
  defineCommand,
  negation,
  option,
  type ValuesOf,
} from "../command.ts";
import { json, PROJECT, PROJECT_OR_ALL, readNumber, SERVICE, SERVICE_HELP } from "../options.ts";
import { fail, print, printJson, printJsonList, printTable } from "../output.ts";
import { cancelRebuild, rebuild } from "../rebuild.ts";
import { DETAIL_MEMBERS, SUMMARY_MEMBERS, toJsonSummary, toJsonWorkload } from "../workload-json.ts";
import { readMode, readShare, SETTING_NOUNS, SETTINGS, toChanges, toUpdate } from "../workload-settings.ts";
import { describeControls, describeHold, printWorkload, toMetricSettings, toWord } from "../workload-text.ts";

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
  ...SERVICE,
};

type Target = ValuesOf<typeof TARGET>;

/** `attune workloads`. */
export const workloads: CommandGroup = {
  help: HELP + SERVICE_HELP,
  commands: {
    list: defineCommand({
      summary: "list the workloads with learned state",
      options: { ...PROJECT, ...json("list", SUMMARY_MEMBERS), ...SERVICE },
      async run({ project = DEFAULT_PROJECT.id, json: isJson, ...options }) {
        await withAdmin(options, { project }, async (admin) => {
          const found = await readPages(async (page) => {
            const { workloads: items, nextPageToken } = await admin.listWorkloads({ project, ...page });
            return { items, nextPageToken };
          });
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
        });
      },
    }),

    show: defineCommand({
      summary: "show the learned state and the events of a workload",
      arguments: MODEL,
      options: { ...PROJECT, ...json("object", [...SUMMARY_MEMBERS, ...DETAIL_MEMBERS]), ...SERVICE },
      async run({ model, project = DEFAULT_PROJECT.id, json: isJson, ...options }) {
        await withAdmin(options, { project }, async (admin) => {
          const { workload } = await admin.getWorkload({ project, model });
          const { events } = await admin.listWorkloadHistory({ project, model, pageSize: SHOWN_EVENTS });
          if (workload === undefined) return;
          if (isJson) printJson(toJsonWorkload(workload, events));
          else printWorkload(workload, events);
        });
      },
    }),

    mode: defineCommand({
      summary: "set the mode",
      arguments: {
        mode: argument(
          "off: learn nothing; observe: record decisions only; on: other models may answer; default: inherit",
          readMode,
        ),
      },
      options: TARGET,
      run: ({ mode, ...target }) => change(target, { mode: mode === "default" ? null : mode }, `mode ${mode}`),
    }),

    freeze: defineCommand({
      summary: "let only the base model answer; Attune still learns",
      options: TARGET,
      run: (target) => change(target, { hold: "frozen", pinned: null }, "frozen: only base answers"),
    }),

    pin: defineCommand({
      summary: "let one model answer wherever it can",
      arguments: { answering: argument("name of the model") },
      options: TARGET,
      run: ({ answering, ...target }) =>
        change(target, { hold: "pinned", pinned: answering }, `pinned: ${answering} answers wherever it can`),
    }),

    free: defineCommand({
      summary: "end freeze and pin",
      options: TARGET,
      // Of a workload, those of its project too.
      run: (target) =>
        change(target, { hold: target.model === undefined ? null : "free", pinned: null }, "free: the policy chooses"),
    }),

    exclude: defineCommand({
      summary: "exclude models from answering instead of the base model; without names, exclude none",
      arguments: {
        models: anyNumber("names of the models: they replace the current list"),
      },
      options: TARGET,
      async run({ models, ...target }) {
        const excluded = [...new Set(models)];
        const text = excluded.length === 0 ? "no model is excluded" : `excluded: ${excluded.join(", ")}`;
        await change(target, { excluded: excluded.length === 0 ? null : excluded }, text);
      },
    }),

    metric: defineCommand({
      summary: "set how a metric counts; without options, remove its settings",
      arguments: { name: argument("its name, with dots where it is nested") },
      options: {
        ...TARGET,
        weight: option("share", "0 to 1: how much it counts; 0: only guarded", readShare),
        direction: choice("direction", "which direction is better if the client does not say", ["max", "min"]),
        atLeast: option("bound", "lowest mean of a model that may answer instead of the base model", readNumber),
        atMost: option("bound", "highest mean of such a model", readNumber),
      },
      async run({ name, weight, direction, atLeast, atMost, ...target }) {
        const given = Object.entries({ weight, direction, atLeast, atMost }).filter(([, value]) => value !== undefined);
        const metric = { name, ...Object.fromEntries(given) };
        await onTarget(target, async (admin, { project, model, name: targetName }) => {
          const { workload } = await admin.getWorkload({ project, model: model ?? "" });
          const controls = model === undefined ? workload?.projectControls : workload?.workloadControls;
          const others = (controls?.metrics ?? []).map(toMetricSettings).filter((other) => other.name !== name);
          const metrics = given.length === 0 ? others : [...others, metric];
          await update(admin, { project, model }, { metrics });
          print(`${targetName}: ${describeMetric(metric)}`);
        });
      },
    }),

    set: defineCommand({
      summary: `set ${SETTING_NOUNS.slice(0, -1).join(", ")} and ${SETTING_NOUNS.at(-1)}`,
      options: { ...TARGET, ...SETTINGS },
      help: '\nThe value "default" leaves a setting to the project, and there to the configuration.',
      async run({ project, model, url, ...values }) {
        const changes = toChanges(values);
        if (Object.keys(changes).length === 0) fail("nothing to set: see attune workloads set --help");
        await onTarget({ project, model, url }, async (admin, target) => {
          await update(admin, target, changes);
          print(target.name);
          const { workload } = await admin.getWorkload({ project: target.project, model: target.model ?? "" });
          if (workload !== undefined) for (const line of describeControls(workload)) print(line);
        });
      },
    }),

    reset: defineCommand({
      summary: "reset the learned state of a workload",
      arguments: MODEL,
      options: { ...PROJECT, ...SERVICE },
      async run(values) {
        await onTarget(values, async (admin, { project, name }) => {
          await admin.resetWorkload({ project, model: values.model });
          print(`${name} is reset`);
        });
      },
    }),

    rebuild: defineCommand({
      summary: "rebuild the learned state from all inferences and feedback in the database",
      options: {
        ...PROJECT_OR_ALL,
        wait: negation("only ask for it: a service that runs does it in the background"),
        ...SERVICE,
      },
      help: "\nAttune may run meanwhile: new feedback waits and is learned afterwards. Deleted records cannot be learned.",
      run: rebuild,
    }),

    "cancel-rebuild": defineCommand({
      summary: "cancel a rebuild that waits or runs; it replaces nothing",
      options: { ...PROJECT, ...SERVICE },
      run: cancelRebuild,
    }),
  },
};

interface NamedTarget {
  /** Id or name. */
  readonly project: string;
  /** Undefined for all of the project. */
  readonly model: string | undefined;
}

/** Works on a workload, or on all of a project; `name` is what people call it. */
async function onTarget(
  { project: projectName, model, ...options }: Target,
  work: (admin: AdminClient, target: NamedTarget & { readonly name: string }) => Promise<void>,
): Promise<void> {
  const project = projectName ?? DEFAULT_PROJECT.id;
  const name = `${model ?? "all workloads"} in ${projectName ?? "the default project"}`;
  await withAdmin(options, { project }, (admin) => work(admin, { project, model, name }));
}

async function change(target: Target, changes: Partial<ControlSettings>, text: string): Promise<void> {
  await onTarget(target, async (admin, named) => {
    await update(admin, named, changes);
    print(`${named.name}: ${text}`);
  });
}

/** Changes what is said of a workload, or of all of a project; models are named as callers do. */
async function update(
  admin: AdminClient,
  { project, model }: NamedTarget,
  changes: Partial<ControlSettings>,
): Promise<void> {
  const all = { case: "allWorkloads", value: true } as const;
  const target = model === undefined ? all : ({ case: "model", value: model } as const);
  await admin.updateControls({ project, target, ...toUpdate(changes) });
}
