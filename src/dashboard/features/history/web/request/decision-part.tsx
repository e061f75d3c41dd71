import { Anchor, Badge, Group, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { formatPercent } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { LINKED, pagePath } from "../../../../web/shell/paths.ts";
import { useProject } from "../../../../web/shell/session.ts";
import { armName } from "../../../workloads/web/arm-name.ts";
import { writeWorthInterval } from "../../../workloads/web/write-worth.ts";
import type { RequestDetails } from "../types.ts";
import { type DecisionData, decisionWords } from "./decision-words.ts";
import { Section } from "./section.tsx";

/** Why this model answered, and what the others were thought to be worth. */
export function DecisionPart({ facts, decision }: Pick<RequestDetails, "facts" | "decision">) {
  const { id: projectId } = useProject();
  return (
    <Section title="Why this model" isMinor>
      {decision === null ? (
        <Text fz="sm" c="dimmed">
          No decision: learning was off, or the caller asked for the base model only or for several answers.{" "}
          {facts.servedModel === facts.model && "The base model answered."}
        </Text>
      ) : (
        <>
          {decisionWords(decision).map((sentence) => (
            <Text key={sentence} fz="sm">
              {sentence}
            </Text>
          ))}
          <Arms decision={decision} servedModel={facts.servedModel} />
          <Text fz="xs" c="dimmed">
            Worth is the expected reward from 0 to 1, including the price where price counts, with its interval of 95%.
            Policy {nameText(decision.policy)}, state {decision.version}.{" "}
            <Anchor
              component={Link}
              inherit
              underline="always"
              to={`${pagePath(LINKED.workloads, projectId)}/${encodeURIComponent(decision.base)}`}
            >
              The workload of {nameText(decision.base)}
            </Anchor>
          </Text>
        </>
      )}
    </Section>
  );
}

function Arms({ decision, servedModel }: { readonly decision: DecisionData; readonly servedModel: string }) {
  return (
    <Table.ScrollContainer
      minWidth={290}
      type="native"
      tabIndex={0}
      role="group"
      aria-label="Models that were considered"
    >
      <Table fz="sm" verticalSpacing={6} horizontalSpacing={6} aria-label="Models that were considered">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Model</Table.Th>
            <Table.Th ta="right">Worth</Table.Th>
            <Table.Th ta="right">Chance</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {decision.arms.map(({ model, isEligible, worth, doubt, chance }) => (
            <Table.Tr key={model}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                <Group gap={6}>
                  {nameText(armName(model))}
                  {model === decision.base && <Badge variant="default">base</Badge>}
                  {model === decision.chosen && <Badge variant="light">chosen</Badge>}
                  {model === servedModel && <Badge variant="light">answered</Badge>}
                </Group>
              </Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
                {isEligible ? writeWorthInterval(worth, doubt) : "could not answer"}
              </Table.Td>
              <Table.Td ta="right">{formatPercent(isEligible ? chance : 0)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
