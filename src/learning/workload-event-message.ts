import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AccuracyBasis, type WorkloadEvent, WorkloadEventSchema } from "../../gen/attune/workload/v1/workload_pb.ts";
import { CONTROL_NAMES, type ControlSettings, controlMaskPath } from "../vocabulary/control-fields.ts";
import type { Outlook } from "../vocabulary/outlook.ts";
import { type IdOf, settingsToMessage } from "./control-message.ts";
import type { StoredEvent } from "./directory.ts";
import type { ConstraintState } from "./learner/constraint-states.ts";
import type { RegretFigures } from "./learner/figures.ts";
import type { HistoryEvent } from "./ports.ts";
import { BASES, constraintToMessage, outlookToMessage, regretToMessage } from "./workload-message.ts";

type Event = NonNullable<MessageInitShape<typeof WorkloadEventSchema>["event"]>;
type Detail = StoredEvent["detail"];

/** The name of a key in the history; people have other names. */
const BY_KEY = /^key (\S+)$/;

/** Returns the name of a key in the history. */
export function nameOfKey(keyId: string): string {
  return `key ${keyId}`;
}

/**
 * Something that happened, with its evidence. What other versions wrote may lack some of that, or be of another kind.
 */
export function eventToMessage(event: StoredEvent, idOf: IdOf): WorkloadEvent {
  const { id, at, kind, detail } = event;
  const encode = Object.hasOwn(EVENTS, kind) ? EVENTS[kind as HistoryEvent["kind"]] : undefined;
  return create(WorkloadEventSchema, {
    id,
    at: timestampFromDate(at),
    ...(encode && { event: encode(detail, { idOf, allWorkloads: event.model === "" }) }),
  });
}

interface Around {
  readonly idOf: IdOf;
  readonly allWorkloads: boolean;
}

const EVENTS: Record<HistoryEvent["kind"], (detail: Detail, around: Around) => Event> = {
  begun: ({ priors }, { idOf }) => {
    const known = Object.entries((priors ?? {}) as Record<string, number>);
    return {
      case: "begun",
      value: { priors: Object.fromEntries(known.map(([model, prior]) => [idOf(model), prior])) },
    };
  },
  switched: (detail, { idOf }) => ({
    case: "switched",
    value: {
      family: getText(detail["family"]),
      fromModel: idOf(getText(detail["from"])),
      toModel: idOf(getText(detail["to"])),
      ...optional("fromEstimate", getPair(detail["worths"])[0]),
      ...optional("toEstimate", getPair(detail["worths"])[1]),
      ...optional("fromStandardError", getPair(detail["doubts"])[0]),
      ...optional("toStandardError", getPair(detail["doubts"])[1]),
      ...optional("rewards", detail["rewards"]),
    },
  }),
  closed: ({ rewards, overdrawn }) => ({
    case: "regretBudgetExceeded",
    value: { rewards: getCount(rewards), exceeded: ((overdrawn ?? []) as RegretFigures[]).map(regretToMessage) },
  }),
  reopened: ({ rewards }) => ({ case: "regretBudgetRestored", value: { rewards: getCount(rewards) } }),
  drift: ({ model, family }, { idOf }) => ({
    case: "drifted",
    value: { model: idOf(getText(model)), family: getText(family) },
  }),
  "metrics-full": ({ metric }) => ({ case: "metricsFull", value: { metric: getText(metric) } }),
  unreadable: ({ why }) => ({ case: "unreadable", value: { reason: getText(why) } }),
  outlook: (detail) => ({ case: "outlook", value: outlookToMessage(detail as unknown as Outlook) }),
  reset: ({ by }) => ({ case: "reset", value: { keyId: getKey(by) } }),
  rebuilt: ({ rewards }) => ({ case: "rebuilt", value: { rewards: getCount(rewards) } }),
  constraint: ({ model, broken }, { idOf }) => ({
    case: "constraintJudged",
    value: { model: idOf(getText(model)), broken: ((broken ?? []) as ConstraintState[]).map(constraintToMessage) },
  }),
  divided: ({ family, outcome, clusters, rewards }) => ({
    case: "familyDivided",
    value: {
      family: getText(family),
      divided: outcome === "won",
      clusters: Number(getCount(clusters)),
      rewards: getCount(rewards),
    },
  }),
  selector: ({ isProven, rewards, basis, observations, value, low, high }) => ({
    case: "selectorJudged",
    value: {
      isProven: isProven === true,
      rewards: getCount(rewards),
      basis: basis === "draws" || basis === "pairs" ? BASES[basis] : AccuracyBasis.UNSPECIFIED,
      measured: getNumber(observations),
      accuracy: { value: getNumber(value), low: getNumber(low), high: getNumber(high) },
    },
  }),
  controls: ({ changes = {}, by }, { idOf, allWorkloads }) => {
    const changed = CONTROL_NAMES.filter((name) => Object.hasOwn(changes as object, name)).map(controlMaskPath);
    return {
      case: "controlsChanged",
      value: {
        controls: settingsToMessage(changes as Partial<ControlSettings>, idOf),
        changed: { paths: [...new Set(changed)] },
        keyId: getKey(by),
        allWorkloads,
      },
    };
  },
};

function getText(value: unknown): string {
  return typeof value === "string" ? value.toWellFormed() : "";
}

function getCount(value: unknown): bigint {
  return typeof value === "number" && Number.isFinite(value) ? BigInt(Math.round(value)) : 0n;
}

function getNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function getKey(by: unknown): string {
  return BY_KEY.exec(getText(by))?.[1] ?? "";
}

function getPair(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function optional<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: number } {
  return typeof value === "number" ? ({ [name]: value } as { readonly [Key in Name]?: number }) : {};
}
