import { Badge, Code, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { nameText } from "../../../parts/name-text.ts";
import type { RequestDetails } from "../types.ts";
import { useKeyNames } from "../use-key-names.ts";
import { Section } from "./section.tsx";

const DEVIATIONS: Readonly<Record<string, string>> = {
  none: "none: the model that was asked for answered",
  routed: "routed: another model answered, because feedback says that it is not worse for this workload",
  best_of_n: "best of n: several answers were made, and the best one was given",
  unspecified: "not known: it ended before anyone answered",
};

const OPTIMIZATIONS: Readonly<Record<string, string>> = {
  "deployment-choice": "another deployment than the first was asked, for its speed, load and price",
  "cache-affinity": "a deployment was asked that keeps prompts which begin alike, for its cache",
  failover: "a deployment failed before it began to answer, and another one served",
  hedge: "a second deployment was asked as well, and the first answer was given",
  "checked-retry": "an answer failed a check, and the model was asked once more",
  "cache-marks": "the prompt was marked for the upstream's cache, where it is likely to come again",
  "cache-key": "the prompt was given a key for the upstream's cache, the same for prompts that begin alike",
  coalesced: "an identical request was under way, and its answer was given here too: no call was made for this one",
  "response-cache":
    "an identical request was answered before, and its answer was given again: no call was made for this one",
};

/** Who served it, what was done on the way, and what was lost in translation. */
export function ServingPart({ facts }: Pick<RequestDetails, "facts">) {
  const nameOf = useKeyNames();
  const { optimizations, translationLosses, upstream, upstreamModel, upstreamRequestId, dialect } = facts;
  const rows: [string, ReactNode][] = [
    ["Id", <Id key="id" id={facts.id} />],
    ["Asked by", `key ${nameOf(facts.keyId)}, ${dialect} format, ${facts.streamed ? "as a stream" : "whole"}`],
    ["Workload", nameText(facts.workload) || "none"],
    ["Answered by", nameText(facts.servedModel || facts.model)],
    ["Served by", upstream === "" ? "no one" : `${nameText(upstream)} as ${nameText(upstreamModel)}`],
    ["Its id there", nameText(upstreamRequestId) || "none"],
    ["Deviation", DEVIATIONS[facts.deviation] ?? facts.deviation],
    ["Optimised", optimizations.length === 0 ? "nothing" : <Optimizations key="o" names={optimizations} />],
    ["Lost in translation", translationLosses.length === 0 ? "nothing" : <Losses key="l" paths={translationLosses} />],
    ["Ended", ending(facts)],
  ];
  return (
    <Section title="Serving">
      <dl className="attune-facts">
        {rows.map(([name, value]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Id({ id }: { readonly id: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span>{id}</span>
      <CopyButton text={id} what="the id" />
    </Group>
  );
}

function Optimizations({ names }: { readonly names: readonly string[] }) {
  return names.map((name) => (
    <div key={name}>
      <Badge variant="light" size="sm" tt="none">
        {name}
      </Badge>{" "}
      {OPTIMIZATIONS[name] ?? ""}
    </div>
  ));
}

function Losses({ paths }: { readonly paths: readonly string[] }) {
  return (
    <>
      <Text fz="sm">The upstream's format cannot say:</Text>
      {paths.map((path) => (
        <Code key={path} mr={6}>
          {path}
        </Code>
      ))}
    </>
  );
}

function ending({ finishReason, rawFinishReason, status }: RequestDetails["facts"]): string {
  if (finishReason == null) return status;
  const words = finishReason.replaceAll("_", " ");
  return rawFinishReason && rawFinishReason !== finishReason ? `${words} (${rawFinishReason})` : words;
}
