import { formatPercent } from "../../../parts/format.ts";
import { nameText } from "../../../parts/name-text.ts";
import { armName } from "../arm-name.ts";
import { familyName } from "../family-name.ts";
import { accountLabel, MODES } from "../standing.ts";
import type { Happening } from "../use-workloads.ts";

/** What happened, in a few words, and what it rests on. */
interface HappeningWords {
  readonly title: string;
  readonly text: string;
}

/** Says what happened to a workload, and by what evidence. */
export function happeningWords({
  kind,
  detail,
  isOfProject,
}: Pick<Happening, "kind" | "detail" | "isOfProject">): HappeningWords {
  switch (kind) {
    case "begun":
      return { title: "Begun", text: begun(detail["priors"]) };
    case "switched":
      return switched(detail);
    case "closed":
      return { title: "Returned to base", text: closed(detail) };
    case "reopened":
      return {
        title: "Opened again",
        text: `All accounts have room again, after ${rewards(detail)}: others may answer.`,
      };
    case "drift":
      return {
        title: `${armName(name(detail["model"]))} has changed`,
        text: `Its rewards, at last in ${family(detail)}, ran further from what was predicted than chance explains. Most of what was known of it is forgotten, much of the others, and all are tried anew.`,
      };
    case "metrics-full":
      return {
        title: "Too many metrics",
        text: `${name(detail["metric"])}, and what is new after it, is kept and not learned from.`,
      };
    case "divided":
      return divided(detail);
    case "constraint":
      return constraint(detail);
    case "selector":
      return selector(detail);
    case "unreadable":
      return { title: "Begun anew", text: `What was learned could not be read: ${plain(detail["why"])}.` };
    case "reset":
      return { title: "Reset", text: `${by(detail)} had it forget what was learned.` };
    case "rebuilt":
      return { title: "Learned anew", text: `From all records, ${rewards(detail)}.` };
    case "controls":
      return { title: isOfProject ? "Controls of the project changed" : "Controls changed", text: controls(detail) };
    default:
      return { title: plain(kind), text: "" };
  }
}

type Detail = Happening["detail"];

function begun(priors: unknown): string {
  const known = Object.entries(isRecord(priors) ? priors : {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  if (known.length === 0) return "With nothing known of any model.";
  const parts = known.sort(([, a], [, b]) => b - a).map(([model, by]) => `${name(model)} ${signed(by)}`);
  return `With what the project's other workloads and the configuration say of models against base: ${parts.join(", ")}.`;
}

function switched(detail: Detail): HappeningWords {
  const [before, after] = pair(detail["worths"]);
  const [doubtBefore, doubtAfter] = pair(detail["doubts"]);
  const from = armName(name(detail["from"]));
  const to = armName(name(detail["to"]));
  const title = `Switched to ${to} in ${family(detail)}`;
  if (after === undefined) return { title, text: `It was ${from} before.` };
  const evidence = `${to} is thought to be worth ${worth(after, doubtAfter)} there`;
  const other = before === undefined ? `it was ${from} before` : `${from} ${worth(before, doubtBefore)}`;
  // Base is preferred to what is thought to be a little better, and is not well known.
  const doubts = before !== undefined && before > after ? " Doubt counts against whoever is not base." : "";
  return { title, text: `After ${rewards(detail)} in it, ${evidence}, and ${other}.${doubts}` };
}

function closed(detail: Detail): string {
  const accounts = Array.isArray(detail["overdrawn"]) ? detail["overdrawn"].filter(isRecord) : [];
  const parts = accounts.map(
    ({ name: account, loss, budget }) =>
      `${nameText(accountLabel(plain(account)))} may have lost ${number(loss)}, and ${number(budget)} may be lost`,
  );
  const why = parts.length === 0 ? "An account was overdrawn" : parts.join("; ");
  return `${why}, after ${rewards(detail)}. Only base answers until there is room again.`;
}

function divided(detail: Detail): HappeningWords {
  const groups = `${plain(detail["clusters"])} groups of prompts`;
  const evidence = `${groups} were told apart there, and over ${rewards(detail)}`;
  return detail["outcome"] === "won"
    ? {
        title: `Divided ${family(detail)}`,
        text: `${evidence} feedback was predicted better by group: each is a kind of its own now.`,
      }
    : {
        title: `Left ${family(detail)} whole`,
        text: `${evidence} feedback was predicted no better by group than without.`,
      };
}

function constraint(detail: Detail): HappeningWords {
  const model = armName(name(detail["model"]));
  const broken = Array.isArray(detail["broken"]) ? detail["broken"].filter(isRecord) : [];
  if (broken.length === 0) return { title: `${model} keeps every bound`, text: "It may answer in base's place again." };
  const parts = broken.map(
    ({ metric, relation, bound, mean, values }) =>
      `its mean of ${name(metric)} is ${figure(mean)} over ${plain(values)} values, and has to be at ${relation === "atLeast" ? "least" : "most"} ${figure(bound)}`,
  );
  return { title: `${model} breaks a bound`, text: `It does not answer in base's place: ${parts.join("; ")}.` };
}

function selector(detail: Detail): HappeningWords {
  const share = (key: string) => (typeof detail[key] === "number" ? formatPercent(detail[key]) : "–");
  const count = typeof detail["observations"] === "number" ? Math.round(detail["observations"]) : 0;
  const from = `by ${count.toLocaleString("en-US")} ${detail["basis"] === "pairs" ? "pairs with feedback on both" : "answers that chance chose"}`;
  if (count === 0) {
    return {
      title: "Measures the choice among several answers anew",
      text: `After ${rewards(detail)}: what is preferred is no longer what was learned, or may have changed since trials ended. The rules choose until it has proved itself.`,
    };
  }
  const evidence = `After ${rewards(detail)}, what is learned is right in ${share("value")} of the pairs of answers that differ (95 % within ${share("low")} to ${share("high")}), ${from}.`;
  return detail["isProven"] === true
    ? { title: "Chooses among several answers", text: `${evidence} It chooses from now on where learning is on.` }
    : { title: "Chooses no longer among several answers", text: `${evidence} The rules choose again.` };
}

/** Says what holds for a metric. */
function metric({ name: of, weight, direction, atLeast, atMost }: Readonly<Record<string, unknown>>): string {
  const parts = [
    weight === undefined ? [] : [`weight ${plain(weight)}`],
    direction === undefined ? [] : [`better when ${direction === "min" ? "smaller" : "greater"}`],
    atLeast === undefined ? [] : [`at least ${plain(atLeast)}`],
    atMost === undefined ? [] : [`at most ${plain(atMost)}`],
  ].flat();
  return `${name(of)} ${parts.length === 0 ? "like all others" : parts.join(", ")}`;
}

function controls(detail: Detail): string {
  const changes = isRecord(detail["changes"]) ? detail["changes"] : {};
  const parts = Object.entries(changes).flatMap(([setting, value]) => {
    switch (setting) {
      case "mode":
        return [`mode ${value === null ? "as the project or the configuration has it" : modeLabel(value)}`];
      case "hold":
        return value === "pinned" ? [] : [value === null ? "held as the project has it" : plain(value)];
      case "pinned":
        return value === null ? [] : [`pinned to ${name(value)}`];
      case "excluded":
        return [
          Array.isArray(value) && value.length > 0 ? `excluded ${value.map(name).join(", ")}` : "nobody excluded",
        ];
      case "metrics":
        return [
          Array.isArray(value) && value.length > 0
            ? `metrics: ${value.filter(isRecord).map(metric).join("; ")}`
            : "nothing of metrics",
        ];
      default:
        return [`${plain(setting)} ${value === null ? "by default" : plain(value)}`];
    }
  });
  return `${by(detail)} said: ${parts.join("; ") || "nothing new"}.`;
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
  return doubt === undefined ? value.toFixed(2) : `${value.toFixed(2)} ± ${(1.96 * doubt).toFixed(2)}`;
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
