import { isObject } from "../../../../../lib/is-object.ts";
import { isSignificant } from "../../../../../lib/significance.ts";
import { controlField, isControlName } from "../../../../../vocabulary/control-fields.ts";
import { writeUsd } from "../../../../../vocabulary/money.ts";
import { describeOutlook, type Outlook, titleOutlooks } from "../../../../../vocabulary/outlook.ts";
import { formatPercent } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { armName } from "../arm-name.ts";
import { familyName } from "../family-name.ts";
import { accountLabel, MODES } from "../standing.ts";
import type { WorkloadEvent } from "../types.ts";
import { writeWorth, writeWorthInterval } from "../write-worth.ts";

/** An event in a few words, and its evidence. */
interface EventDescription {
  readonly title: string;
  readonly text: string;
}

/** Says what happened to a workload, and by what evidence. */
export function describeEvent({
  kind,
  detail,
  isOfProject,
}: Pick<WorkloadEvent, "kind" | "detail" | "isOfProject">): EventDescription {
  switch (kind) {
    case "begun":
      return { title: "Started", text: begun(detail["priors"]) };
    case "switched":
      return switched(detail);
    case "closed":
      return { title: "Returned to base", text: closed(detail) };
    case "reopened":
      return {
        title: "Other models allowed again",
        text: `Every regret budget has room again after ${rewards(detail)}. Other models may answer.`,
      };
    case "drift":
      return {
        title: `${armName(name(detail["model"]))} has changed`,
        text:
          `Its rewards differ from the prediction by more than chance explains, last in ${family(detail)}. ` +
          "Attune discarded most of its statistics, discounted those of the other models, and tries all of " +
          "them again.",
      };
    case "metrics-full":
      return {
        title: "Metrics crowded out",
        text:
          `Feedback has more than 100 names of numbers. Attune stores ${name(detail["metric"])}, and does not learn ` +
          "from it until more raters use it than one of the others.",
      };
    case "divided":
      return divided(detail);
    case "constraint":
      return constraint(detail);
    case "selector":
      return selector(detail);
    case "outlook":
      return {
        title: titleOutlooks([detail as unknown as Outlook]),
        text:
          `By ${rewards(detail)} it would have answered ${describeOutlook(detail as unknown as Outlook)}. ` +
          "Base still answers every call.",
      };
    case "unreadable":
      return { title: "Started over", text: `The learned state was unreadable: ${plain(detail["why"])}.` };
    case "reset":
      return { title: "Reset", text: `${by(detail)} reset the learned state.` };
    case "rebuilt":
      return { title: "Rebuilt", text: `Attune learned again from all records: ${rewards(detail)}.` };
    case "controls":
      return { title: isOfProject ? "Controls of the project changed" : "Controls changed", text: controls(detail) };
    default:
      return { title: plain(kind), text: "" };
  }
}

type Detail = WorkloadEvent["detail"];

function begun(priors: unknown): string {
  const known = Object.entries(isObject(priors) ? priors : {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  if (known.length === 0) return "Nothing is known about any model yet.";
  const parts = known.sort(([, a], [, b]) => b - a).map(([model, by]) => `${name(model)} ${signed(by)}`);
  return (
    "Starting estimates against base, from the project's other workloads and the configuration: " +
    `${parts.join(", ")}.`
  );
}

function switched(detail: Detail): EventDescription {
  const [before, after] = pair(detail["worths"]);
  const [doubtBefore, doubtAfter] = pair(detail["doubts"]);
  const from = armName(name(detail["from"]));
  const to = armName(name(detail["to"]));
  const ahead = before === undefined || after === undefined ? undefined : after - before;
  const isUnsure = ahead !== undefined && ahead > 0 && !isSignificant(ahead, doubtBefore ?? 0, doubtAfter ?? 0);
  const title = `${isUnsure ? "Exploring" : "Switched to"} ${to} in ${family(detail)}`;
  if (after === undefined) return { title, text: `Before, it was ${from}.` };
  const evidence = `${to} has an estimated reward of ${worth(after, doubtAfter)}`;
  const other = before === undefined ? `${from} answered before` : `${from} has ${worth(before, doubtBefore)}`;
  // Base is preferred to what is thought to be a little better, and is not well known.
  const doubts = isUnsure
    ? " The difference is not significant yet."
    : ahead !== undefined && ahead < 0
      ? " Base wins when the difference is uncertain."
      : "";
  return { title, text: `After ${rewards(detail)}: ${evidence}, ${other}.${doubts}` };
}

function closed(detail: Detail): string {
  const accounts = Array.isArray(detail["overdrawn"]) ? detail["overdrawn"].filter(isObject) : [];
  const parts = accounts.map(
    ({ name: account, loss, budget }) =>
      `${nameText(accountLabel(plain(account)))}: ${number(loss)} of ${number(budget)} allowed`,
  );
  const why = parts.length === 0 ? "not recorded" : parts.join("; ");
  return `Regret budget exceeded after ${rewards(detail)} (${why}). Only base answers until there is room again.`;
}

function divided(detail: Detail): EventDescription {
  const groups = `${plain(detail["clusters"])} groups of prompts`;
  const evidence = `${groups}, ${rewards(detail)}`;
  return detail["outcome"] === "won"
    ? {
        title: `Split ${family(detail)}`,
        text: `${evidence}: groups predict feedback better. Attune now treats each group as its own kind of prompt.`,
      }
    : {
        title: `Kept ${family(detail)} together`,
        text: `${evidence}: groups do not predict feedback better.`,
      };
}

function constraint(detail: Detail): EventDescription {
  const model = armName(name(detail["model"]));
  const broken = Array.isArray(detail["broken"]) ? detail["broken"].filter(isObject) : [];
  if (broken.length === 0)
    return { title: `${model} meets every bound`, text: "It may answer instead of the base model again." };
  const parts = broken.map(
    ({ metric, relation, bound, mean, values }) =>
      `mean ${name(metric)} is ${figure(mean)} over ${plain(values)} values, the bound is at ` +
      `${relation === "atLeast" ? "least" : "most"} ${figure(bound)}`,
  );
  return {
    title: `${model} breaks a bound`,
    text: `It no longer answers instead of the base model: ${parts.join("; ")}.`,
  };
}

function selector(detail: Detail): EventDescription {
  const share = (key: string) => (typeof detail[key] === "number" ? formatPercent(detail[key]) : "–");
  const count = typeof detail["observations"] === "number" ? Math.round(detail["observations"]) : 0;
  const from =
    `over ${count.toLocaleString("en-US")} ` +
    `${detail["basis"] === "pairs" ? "pairs with feedback on both" : "randomly chosen answers"}`;
  if (count === 0) {
    return {
      title: "Selector is measured again",
      text:
        `After ${rewards(detail)}: preferences may have changed. The built-in rules choose until the selector ` +
        "is proven again.",
    };
  }
  const evidence =
    `After ${rewards(detail)}, the selector picks the better of two answers in ${share("value")} of cases ` +
    `(${share("low")} to ${share("high")}), ${from}.`;
  return detail["isProven"] === true
    ? { title: "Selector is proven", text: `${evidence} It now chooses when learning is on.` }
    : { title: "Selector is no longer proven", text: `${evidence} The built-in rules choose again.` };
}

/** Says what holds for a metric. */
function metric({ name: of, weight, direction, atLeast, atMost }: Readonly<Record<string, unknown>>): string {
  const parts = [
    weight === undefined ? [] : [`weight ${plain(weight)}`],
    direction === undefined ? [] : [`better when ${direction === "min" ? "smaller" : "greater"}`],
    atLeast === undefined ? [] : [`at least ${plain(atLeast)}`],
    atMost === undefined ? [] : [`at most ${plain(atMost)}`],
  ].flat();
  return `${name(of)} ${parts.length === 0 ? "default" : parts.join(", ")}`;
}

function controls(detail: Detail): string {
  const changes = isObject(detail["changes"]) ? detail["changes"] : {};
  const parts = Object.entries(changes).flatMap(([setting, value]) => changedSetting(setting, value));
  return `${by(detail)} changed: ${parts.join("; ") || "no new value"}.`;
}

function changedSetting(setting: string, value: unknown): string[] {
  switch (setting) {
    case "mode":
      return [`mode ${value === null ? "inherited" : modeLabel(value)}`];
    case "hold":
      return value === "pinned" ? [] : [value === null ? "hold inherited" : plain(value)];
    case "pinned":
      return value === null ? [] : [`pinned to ${name(value)}`];
    case "excluded":
      return [isFilled(value) ? `excluded ${value.map(name).join(", ")}` : "no model excluded"];
    case "metrics":
      return [isFilled(value) ? `metrics: ${value.filter(isObject).map(metric).join("; ")}` : "no metric settings"];
    default:
      return [`${settingNoun(setting)} ${value === null ? "inherited" : settingText(setting, value)}`];
  }
}

/** A setting of another version has its own name. */
function settingNoun(setting: string): string {
  return isControlName(setting) ? controlField(setting).noun : plain(setting);
}

function settingText(setting: string, value: unknown): string {
  const field = isControlName(setting) ? controlField(setting) : undefined;
  return field?.kind === "number" && field.unit === "usd" && typeof value === "number" ? writeUsd(value) : plain(value);
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function modeLabel(value: unknown): string {
  return (MODES.find((mode) => mode.value === value)?.label ?? plain(value)).toLowerCase();
}

function by(detail: Detail): string {
  return typeof detail["by"] === "string" ? nameText(detail["by"]) : "Someone at the command line";
}

function rewards(detail: Detail): string {
  const count = detail["rewards"];
  if (typeof count !== "number") return "some rewards";
  const whole = Math.round(count);
  return `${whole.toLocaleString("en-US")} ${whole === 1 ? "reward" : "rewards"}`;
}

function family(detail: Detail): string {
  return familyName(plain(detail["family"]));
}

function worth(value: number, doubt: number | undefined): string {
  return doubt === undefined ? writeWorth(value) : writeWorthInterval(value, doubt);
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

function number(value: unknown): string {
  return typeof value === "number" ? value.toFixed(1) : "–";
}

/** A number as it was said, without digits that nobody reads. */
function figure(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toPrecision(4))) : "–";
}

function name(value: unknown): string {
  return nameText(plain(value));
}

function plain(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? nameText(String(value)) : "";
}

function pair(value: unknown): readonly [number | undefined, number | undefined] {
  const [one, other]: unknown[] = Array.isArray(value) ? value : [];
  const figure = (part: unknown) => (typeof part === "number" ? part : undefined);
  return [figure(one), figure(other)];
}
