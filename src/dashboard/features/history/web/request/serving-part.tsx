import { Badge, Code, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "../../../../web/parts/copy-button.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import type { RequestDetails } from "../types.ts";
import { useKeyNames } from "../use-key-names.ts";
import { Section } from "./section.tsx";

const DEVIATIONS: Readonly<Record<string, string>> = {
  none: "none: the requested model answered",
  routed: "routed: another model answered, because feedback shows that it isn't worse",
  best_of_n: "best of n: the best of several answers was returned",
  unspecified: "unknown: it ended before a model answered",
};

const OPTIMIZATIONS: Readonly<Record<string, string>> = {
  "deployment-choice": "another deployment than the first was called, for its speed, load or price",
  "cache-affinity": "the deployment that caches prompts with this beginning was called",
  failover: "a deployment failed before it began to answer, and another one answered",
  hedge: "a second deployment was called too, and the faster one answered",
  "checked-retry": "an answer failed a check, and the model was called again",
  "cache-marks": "the prompt was marked for the upstream's cache, because it is likely to repeat",
  "cache-key": "the prompt got a key for the upstream's cache, the same for prompts with this beginning",
  coalesced: "an identical request was in progress and its answer was shared, without another call",
  "response-cache": "the answer to an identical request was in the cache, so no model was called",
};

/** The serving of a request: who answered, optimisations, and translation losses. */
export function ServingPart({ facts }: Pick<RequestDetails, "facts">) {
  const keyName = useKeyNames([facts.keyId]);
  const { optimizations, translationLosses, upstream, upstreamModel, upstreamRequestId, dialect } = facts;
  const rows: [string, ReactNode][] = [
    ["Id", <Id key="id" id={facts.id} />],
    ["Request id", nameText(facts.requestId ?? "") || "none"],
    ["Key", `${keyName(facts.keyId)}, ${dialect} format, ${facts.streamed ? "streamed" : "not streamed"}`],
    ["Workload", nameText(facts.workload) || "none"],
    ["Answered by", nameText(facts.servedModel || facts.model)],
    ["Served by", upstream === "" ? "none" : `${nameText(upstream)} as ${nameText(upstreamModel)}`],
    ["Upstream id", nameText(upstreamRequestId) || "none"],
    ["Deviation", DEVIATIONS[facts.deviation] ?? facts.deviation],
    ["Optimized", optimizations.length === 0 ? "nothing" : <Optimizations key="o" names={optimizations} />],
    ["Lost in translation", translationLosses.length === 0 ? "nothing" : <Losses key="l" paths={translationLosses} />],
    ["Ended", ending(facts)],
  ];
  return (
    <Section title="Serving" isMinor>
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
      <Badge variant="light" size="sm" tt="none" data-verbatim>
        {name}
      </Badge>{" "}
      {OPTIMIZATIONS[name] ?? ""}
    </div>
  ));
}

function Losses({ paths }: { readonly paths: readonly string[] }) {
  return (
    <>
      <Text fz="sm">The upstream's format cannot carry:</Text>
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
