import { fieldsMarkdown } from "./field-rows.ts";
import type { MatrixRow } from "./further-rows.ts";
import { INBOUND, type Inbound, type Route, type Topic, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";

/** Returns the matrix as Markdown: a row for each topic and those of `further`, a column for each route. */
export function matrixMarkdown(topics: readonly Topic[], further: readonly MatrixRow[]): string {
  const columns = INBOUND.flatMap((inbound) => UPSTREAM_KINDS.map((kind) => ({ inbound, kind })));
  const rows = topics.map((topic) => {
    const cells = columns.map(({ inbound, kind }) => describeCell(topic, inbound, kind));
    return `| ${topic.name} | ${cells.join(" | ")} |`;
  });
  const others = further.map(({ name, cells }) => {
    return `| ${name} | ${columns.map(({ inbound, kind }) => cells[inbound][kind]).join(" | ")} |`;
  });
  return [
    "# Conformance",
    "",
    "Written by `npm run conformance`. Each cell is a case in [test/conformance/topics](../test/conformance/topics): a request, a",
    "scripted upstream, the request that the upstream has to receive and the answer that the caller has to get, byte for byte. It",
    "runs three times: streamed; whole, of an upstream that answers whole; and whole, of one that is always asked for a stream",
    "(`ask: stream`). *works*: nothing is lost. *loss*: named in the header `attune-translation-loss`, and refused with",
    "`attune-strict: true`; one that begins with `answer.` is of the answer, which no request can avoid, and stands in a comment of a",
    "stream. *refused*: 400, naming the member, before any upstream is called. A dash: the caller's format has no way to say it.",
    "*exact*, *estimated*: who counts the tokens of a prompt, the upstream or Attune (`attune-token-count`).",
    "",
    `| topic | ${columns.map(({ inbound, kind }) => `${inbound} → ${kind}`).join(" | ")} |`,
    `| --- |${columns.map(() => " --- |").join("")}`,
    ...rows,
    ...others,
    "",
    "## Fields",
    "",
    "What becomes of each field of the hub's request in each format, from [src/hub/fields.ts](../src/hub/fields.ts): the member that it",
    "is; *otherwise*: it has no member of its own, and is said by other means, or named as a loss where its value cannot be;",
    "*loss*: the format has no place for it, and it is named. A dash: no upstream is to know it.",
    "",
    ...fieldsMarkdown(),
    "",
  ].join("\n");
}

function describeCell(topic: Topic, inbound: Inbound, kind: UpstreamKind): string {
  return topic.absentIn?.includes(inbound) ? "–" : describeRoute(topic.routes[inbound][kind]);
}

function describeRoute(route: Route): string {
  if ("refused" in route) return `refused: ${route.refused.name}`;
  const { losses, answerLosses = [], eventLosses = [] } = route;
  const named = [...losses, ...answerLosses, ...eventLosses].map((loss) => `\`${loss}\``);
  return named.length === 0 ? "works" : `loss: ${named.join(", ")}`;
}
