import { setTimeout as delay } from "node:timers/promises";
import {
  DecidingAnswerSchema,
  type Improvement,
  type ImprovementPlan,
  ImprovementPlanSchema,
  ImprovementSchema,
  ImprovementState,
} from "../../../gen/attune/admin/v1/admin_pb.ts";
import { type AdminClient, defineAdminRootCommand } from "../admin-client.ts";
import { messageToJson } from "../apply/document-json.ts";
import { argument, flag, negation, option } from "../command.ts";
import { describeImprovement, describeOffer, describePlan, toReport } from "../improvement-text.ts";
import { json, PROJECT, readInteger, readNumber, SERVICE_HELP } from "../options.ts";
import { fail, print, printJson, tell } from "../output.ts";
import { toJsonWorkload } from "../workload-json.ts";

const POLL_MS = 1000;
const TOLD_EVERY_MS = 5000;
/** A service that runs begins within seconds. */
const PATIENCE_MS = 15_000;

const HELP = `
Asks other models for recorded requests. The workload's judge compares their answers with those of the base model, after
it was measured by answers that people rated. Callers never get these answers. Without --usd, the command calls no model
and prints what is known so far and what a run would cost. The service does the work, even if this command ends. The
report is Markdown. See docs/improve.md.
`;

/** `attune improve`. */
export const improve = defineAdminRootCommand({
  arguments: { model: argument("base of the workload") },
  options: {
    ...PROJECT,
    usd: option("usd", "budget for all calls, including the judge's", readNumber),
    calls: option(
      "number",
      "maximum number of recorded requests; 300 if absent, and at most with one judge and fewer than 20 judged pairs",
      readInteger,
    ),
    ask: option(
      "model",
      "model to ask, repeatable; all that may answer instead of the base model if absent",
      readNames,
    ),
    cancel: flag("cancel the waiting or running improvement; grades so far are kept", { conflicts: ["usd"] }),
    report: flag("print the report as of now, which judged pairs may have changed, without calling a model", {
      conflicts: ["usd", "cancel"],
    }),
    wait: negation("return without waiting for the result"),
    ...json("object", ["plan", "improvement", "workload", "answers"]),
  },
  help: HELP + SERVICE_HELP,
  examples: [
    "attune improve gpt-6-astra",
    "attune improve gpt-6-astra --usd 2 --calls 300 > report.md",
    "attune improve gpt-6-astra --report > report.md",
  ],
  async run(admin, { model, project, usd, calls, ask, cancel, wait, json: isJson, ...options }) {
    const target = { project, model };
    if (cancel) return await end(admin, target);
    if (options.report) {
      const { improvement } = await admin.getImprovement(target);
      if (improvement === undefined && !isJson) fail("this workload doesn't have an improvement yet");
      return await report(admin, { ...target, plan: undefined, improvement, isJson });
    }
    const request = { ...target, models: [...(ask ?? [])], ...(calls !== undefined && { maxCalls: calls }) };
    const response = await admin.improveWorkload({ ...request, maxUsd: usd ?? 0, dryRun: usd === undefined });
    const { plan } = response;
    if (plan !== undefined && !isJson) for (const line of describePlan(plan, calls)) tell(line);
    if (plan?.offer !== undefined && !isJson) tell(describeOffer(plan.offer, model));
    const improvement = response.improvement && (wait ? await waitFor(admin, target) : response.improvement);
    await report(admin, { ...target, plan, improvement, isJson });
    if (improvement?.state === ImprovementState.CANCELED) process.exitCode = 1;
  },
});

function readNames(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

interface Target {
  readonly project: string;
  readonly model: string;
}

async function end(admin: AdminClient, target: Target): Promise<void> {
  const { improvement } = await admin.cancelImprovement(target);
  if (improvement?.state !== ImprovementState.CANCELED) fail("no improvement waits or runs");
  print(`${target.model}: ${describeImprovement(improvement)}`);
}

/** Tells how an improvement goes, until it ends. */
async function waitFor(admin: AdminClient, target: Target): Promise<Improvement> {
  const began = performance.now();
  let isExplained = false;
  for (let toldAt = began; ; await delay(POLL_MS)) {
    const { improvement } = await admin.getImprovement(target);
    if (improvement === undefined) fail("the improvement is gone: its project was deleted");
    if (improvement.endedAt !== undefined) return improvement;
    const now = performance.now();
    const isWaiting = improvement.state === ImprovementState.WAITING;
    if (isWaiting && !isExplained && now - began > PATIENCE_MS) {
      isExplained = true;
      tell("it still waits: a service has to run on this database, and makes one improvement at a time");
    }
    if (isWaiting || now - toldAt < TOLD_EVERY_MS) continue;
    toldAt = now;
    tell(describeImprovement(improvement));
  }
}

interface Reported extends Target {
  readonly plan: ImprovementPlan | undefined;
  readonly improvement: Improvement | undefined;
  readonly isJson: boolean;
}

async function report(admin: AdminClient, { plan, improvement, isJson, ...target }: Reported): Promise<void> {
  if (improvement === undefined && !isJson) return;
  const { workload } = await admin.getWorkload(target);
  const answers = (await admin.getImprovement({ ...target, withAnswers: true })).improvement?.answers ?? [];
  if (isJson) {
    return printJson({
      plan: plan === undefined ? null : messageToJson(ImprovementPlanSchema, plan),
      improvement: improvement === undefined ? null : messageToJson(ImprovementSchema, improvement),
      workload: workload === undefined ? null : toJsonWorkload(workload, []),
      answers: answers.map((answer) => messageToJson(DecidingAnswerSchema, answer)),
    });
  }
  if (improvement !== undefined && workload !== undefined) print(toReport(improvement, workload, answers));
}
