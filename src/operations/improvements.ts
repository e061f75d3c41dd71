import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type AnswerVerdictsSchema,
  type DecidingAnswerSchema,
  ImprovementEnd as EndMessage,
  type ImprovementOfferSchema,
  type ImprovementPlan,
  type ImprovementPlanSchema,
  type ImprovementSchema,
  ImprovementState,
} from "../../gen/attune/admin/v1/admin_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { controlsIn } from "../learning/controls.ts";
import type { AnswerVerdicts } from "../learning/improve/choose-deciding.ts";
import type { WorkloadKey } from "../learning/workload.ts";
import type { WorkloadImprovementRow } from "../store/entities/workload-improvement.ts";
import { readControls } from "../store/learning/control-store.ts";
import { cancelImprovement, readImprovement, requestImprovement } from "../store/learning/improvements.ts";
import { offerImprovement } from "../store/learning/offer-improvement.ts";
import { improvementModels, planImprovement } from "../store/learning/plan-improvement.ts";
import { type DecidingAnswers, readDeciding } from "../store/learning/read-deciding.ts";
import { IMPROVEMENT_ENDS, type ImprovementEnd } from "../vocabulary/improvement.ts";
import { NANOS_PER_USD } from "../vocabulary/money.ts";
import { conflict } from "./checks.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import type { RequestOf } from "./operations.ts";

/** The operations on improvements of workloads. */
export const improvementHandlers: Handlers<"improveWorkload" | "getImprovement" | "cancelImprovement"> = {
  async improveWorkload(work, request) {
    const { dryRun, maxUsd } = request;
    const key = await getKey(work, request);
    const { plan, models } = await getPlan(work, key, request);
    if (dryRun) {
      const offer = models.length === 0 ? await getOffer(work, key) : undefined;
      return { plan: { ...plan, ...(offer && { offer }) } };
    }
    if (plan.judge === "") {
      throw conflict("model", "has no judge, which has to grade the answers: set one for the workload first");
    }
    if (maxUsd === 0) {
      throw InferenceError.invalid("max_usd", "is required: the maximum cost of all calls together, in USD");
    }
    const terms = { key, models, mostNanos: Math.round(maxUsd * NANOS_PER_USD), mostCalls: plan.maxCalls };
    return { improvement: toMessage(await requestImprovement(work.store, terms), work), plan };
  },

  async getImprovement(work, request) {
    const key = await getKey(work, request);
    const row = await readImprovement(work.store, key);
    if (row === undefined) return {};
    const deciding = request.withAnswers ? await readDeciding(work.store, key) : [];
    return { improvement: toMessage(row, work, deciding) };
  },

  async cancelImprovement(work, request) {
    const row = await cancelImprovement(work.store, await getKey(work, request));
    return row === undefined ? {} : { improvement: toMessage(row, work) };
  },
};

async function getKey(
  work: Work,
  { project, model }: { readonly project: string; readonly model: string },
): Promise<WorkloadKey> {
  const { id } = await findOwnProject(work, project);
  return { projectId: id, model: getName(work, model, "model") };
}

function getName({ modelOf }: Work, model: string, param: string): string {
  const name = modelOf(model);
  if (name !== undefined) return name;
  throw new InferenceError(ErrorReason.MODEL_NOT_FOUND, `the model '${model.slice(0, 100)}' does not exist`, { param });
}

async function getPlan(work: Work, key: WorkloadKey, request: RequestOf<"improveWorkload">) {
  const { store, learning, improvements, prefix } = work;
  const { resolved: controls } = controlsIn(await readControls(store, key.projectId), key, learning());
  const options = { controls, ...improvements };
  const models = request.models.map((model, at) => getName(work, model, `models[${at}]`));
  const allowed = improvementModels(key, options);
  for (const [at, name] of models.entries()) {
    if (allowed.includes(name)) continue;
    const isJudge = [controls.shadow.judge, controls.shadow.secondJudge].includes(name);
    const why = isJudge ? "grades, and would grade its own answers" : "may not answer in base's place";
    throw InferenceError.invalid(`models[${at}]`, `'${name}' ${why}`);
  }
  const planned = await planImprovement(store, key, { ...options, models, mostCalls: request.maxCalls });
  const idOf = (name: string) => `${prefix}/${name}`;
  const { recorded, rated, mostCalls, judge, secondJudge, nanos, flexNanos, unpriced } = planned;
  const plan: MessageInitShape<typeof ImprovementPlanSchema> & Pick<ImprovementPlan, "judge" | "maxCalls"> = {
    recorded: BigInt(recorded),
    rated: BigInt(rated),
    maxCalls: mostCalls,
    judge: judge === undefined ? "" : idOf(judge),
    secondJudge: secondJudge === undefined ? "" : idOf(secondJudge),
    models: planned.models.map(idOf),
    unpricedModels: unpriced.map(idOf),
    ...(flexNanos !== undefined && { estimatedFlexUsd: flexNanos / NANOS_PER_USD }),
    ...(nanos && { estimatedUsd: nanos.mean / NANOS_PER_USD, highestUsd: nanos.most / NANOS_PER_USD }),
  };
  return { plan, models };
}

async function getOffer(
  work: Work,
  key: WorkloadKey,
): Promise<MessageInitShape<typeof ImprovementOfferSchema> | undefined> {
  const { store, learning, improvements, prefix } = work;
  const { resolved: controls } = controlsIn(await readControls(store, key.projectId), key, learning());
  const offer = await offerImprovement(store, key, { controls, ...improvements });
  if (offer === undefined) return undefined;
  const { models, calls, mostNanos } = offer;
  const maxUsd = mostNanos / NANOS_PER_USD;
  return { models: models.map((name) => `${prefix}/${name}`), maxCalls: calls, maxUsd };
}

function answersToMessage(
  { model, ofBase, ofModel, ...pair }: DecidingAnswers,
  { prefix }: Work,
): MessageInitShape<typeof DecidingAnswerSchema> {
  return {
    ...pair,
    model: `${prefix}/${model}`,
    baseVerdicts: verdictsToMessage(ofBase),
    verdicts: verdictsToMessage(ofModel),
  };
}

function verdictsToMessage(verdicts: AnswerVerdicts): MessageInitShape<typeof AnswerVerdictsSchema> {
  const { judge, secondJudge, person } = verdicts;
  return {
    ...(judge !== null && { judge }),
    ...(secondJudge !== null && { secondJudge }),
    ...(person !== null && { person }),
  };
}

const STATES: Record<WorkloadImprovementRow["state"], ImprovementState> = {
  waiting: ImprovementState.WAITING,
  running: ImprovementState.RUNNING,
  done: ImprovementState.DONE,
  canceled: ImprovementState.CANCELED,
};

const ENDS: Record<ImprovementEnd, EndMessage> = {
  settled: EndMessage.SETTLED,
  calls: EndMessage.CALLS,
  budget: EndMessage.BUDGET,
  requests: EndMessage.REQUESTS,
  judge: EndMessage.JUDGE,
  "no-judge": EndMessage.NO_JUDGE,
  "no-models": EndMessage.NO_MODELS,
};

function toMessage(
  row: WorkloadImprovementRow,
  work: Work,
  deciding: readonly DecidingAnswers[] = [],
): MessageInitShape<typeof ImprovementSchema> {
  const { state, actorLabel, requestedAt, startedAt, endedAt, ending, mostCalls, calls, checks } = row;
  return {
    state: STATES[state],
    requestedBy: actorLabel,
    requestedAt: timestampFromDate(requestedAt),
    ...(startedAt && { startedAt: timestampFromDate(startedAt) }),
    ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
    models: (JSON.parse(row.models) as string[]).map((name) => `${work.prefix}/${name}`),
    maxUsd: Number(row.mostNanos) / NANOS_PER_USD,
    maxCalls: mostCalls,
    calls: BigInt(calls),
    checks: BigInt(checks),
    spentUsd: Number(row.spentNanos) / NANOS_PER_USD,
    ...(ending && { end: ENDS[ending], summary: IMPROVEMENT_ENDS[ending] }),
    answers: deciding.map((pair) => answersToMessage(pair, work)),
  };
}
