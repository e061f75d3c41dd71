import { Badge, Box, Group, Table, Text } from "@mantine/core";
import { Fragment } from "react";
import { formatLatency, formatShortCost, markEstimate } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { StatusBadge } from "../status-badge.tsx";
import type { AttemptData, RequestDetails } from "../types.ts";
import { placeAttempts, type Stretch } from "./attempt-timeline.ts";
import { failedText, reasonText } from "./candidate-words.ts";
import { Section } from "./section.tsx";

const ROLES: Readonly<Record<string, string>> = {
  primary: "called first",
  failover: "called after the previous one failed",
  hedge: "called too, because the previous one was slow",
  retry: "called again, because the previous answer failed a check",
  candidate: "called as one of several, to choose the best answer",
};

/** The attempts of a request: deployments in the order in which they were asked, with their outcomes. */
export function AttemptsPart({ facts, attempts }: Pick<RequestDetails, "facts" | "attempts">) {
  const stretches = placeAttempts(attempts, facts.latencyMs);
  return (
    <Section title="Attempts">
      {attempts.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {facts.optimizations.includes("coalesced")
            ? "Coalesced: this request shares the answer of an identical one, so no deployment was called."
            : facts.optimizations.includes("response-cache")
              ? "Response cache: the answer to an identical request was reused, so no deployment was called."
              : "No deployment was called, or attempts aren't recorded yet."}
        </Text>
      ) : (
        <>
          <Table.ScrollContainer minWidth={290} type="native" tabIndex={0} role="group" aria-label="Attempts">
            <Table fz="sm" verticalSpacing={6} horizontalSpacing={6} aria-label="Attempts">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Deployment</Table.Th>
                  <Table.Th ta="right">First event</Table.Th>
                  <Table.Th ta="right">Took</Table.Th>
                  <Table.Th ta="right">Cost</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {attempts.map((attempt, at) => (
                  <Fragment key={attempt.position}>
                    <Figures attempt={attempt} />
                    <Table.Tr>
                      <Table.Td colSpan={4} pt={0} pb="xs">
                        <Outcome attempt={attempt} isOnly={attempts.length === 1} />
                        <Bar attempt={attempt} stretch={stretches[at]} />
                        <Ending attempt={attempt} hasWinner={attempts.some(({ isWinner }) => isWinner)} />
                      </Table.Td>
                    </Table.Tr>
                  </Fragment>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <Text fz="xs" c="dimmed">
            Each bar shows when the attempt ran: hatched until its first event, solid after it.
          </Text>
        </>
      )}
    </Section>
  );
}

function Figures({ attempt }: { readonly attempt: AttemptData }) {
  const { position, upstream, upstreamModel } = attempt;
  return (
    <Table.Tr className="attune-attempt">
      <Table.Td className="attune-attempt-name">
        {position + 1}. {nameText(upstream)} as {nameText(upstreamModel)}
      </Table.Td>
      <Table.Td>{formatLatency(attempt.firstEventMs)}</Table.Td>
      <Table.Td>{formatLatency(attempt.latencyMs)}</Table.Td>
      <Table.Td>{markEstimate(formatShortCost(attempt.costNanos), attempt.usageEstimated)}</Table.Td>
    </Table.Tr>
  );
}

function Outcome({ attempt, isOnly }: { readonly attempt: AttemptData; readonly isOnly: boolean }) {
  const { role, outcome, isWinner, propensity } = attempt;
  const chosen = propensity < 1 ? `, chosen with a probability of ${Number(propensity.toPrecision(3))}` : "";
  return (
    <Group gap={6} mb={6}>
      <StatusBadge status={outcome} />
      {isWinner && !isOnly && (
        <Badge variant="outline" color="var(--attune-good)" size="sm" tt="none" fw={500}>
          won
        </Badge>
      )}
      <Text span fz="xs" c="dimmed">
        {ROLES[role] ?? role}
        {chosen}
      </Text>
    </Group>
  );
}

/** The table says the same in numbers. */
function Bar({ attempt, stretch }: { readonly attempt: AttemptData; readonly stretch: Stretch | undefined }) {
  if (stretch === undefined) return null;
  const { start, waiting, answering } = stretch;
  return (
    <div className="attune-attempt-line" data-outcome={attempt.outcome} aria-hidden>
      <Box className="attune-attempt-waiting" style={{ left: `${start}%`, width: `${waiting}%` }} />
      <Box className="attune-attempt-answering" style={{ left: `${start + waiting}%`, width: `${answering}%` }} />
    </div>
  );
}

/** Why it did not answer to the end, what is wrong with its answer, and what it could not carry. */
function Ending({ attempt, hasWinner }: { readonly attempt: AttemptData; readonly hasWinner: boolean }) {
  const { outcome, isWinner, errorReason, errorMessage, errorUpstreamStatus, errorUpstreamCode, losses } = attempt;
  const lines: string[] = [];
  const [failed, reason] = [failedText(attempt), reasonText(attempt)];
  if (failed !== undefined) lines.push(failed);
  if (reason !== undefined) lines.push(reason);
  if (errorReason != null) {
    const details = [
      errorReason.replaceAll("_", " "),
      errorUpstreamStatus != null && `status ${errorUpstreamStatus}`,
      errorUpstreamCode,
    ].filter((detail) => typeof detail === "string" && detail !== "");
    lines.push(`${details.join(", ")}: ${errorMessage ?? ""}`);
  }
  if (outcome === "canceled") {
    lines.push(`Canceled, because ${whyBrokenOff(attempt, hasWinner)}.`);
  }
  // What the winner could not carry is told where the request as a whole is described.
  if (!isWinner && losses.length > 0) lines.push(`Lost in translation: ${losses.join(", ")}`);
  return lines.map((line) => (
    <Text key={line} fz="xs" mt={4} className="attune-attempt-ending">
      {line}
    </Text>
  ));
}

function whyBrokenOff({ role, isWinner }: AttemptData, hasWinner: boolean): string {
  if (!hasWinner || isWinner) return "the client disconnected";
  if (role === "candidate") return "another answer was chosen";
  return role === "retry" ? "it took far longer than the first answer" : "another one answered first";
}
