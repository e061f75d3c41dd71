import "../history.css";
import { Alert, Box, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { fieldErrors } from "../../../../web/api/errors.ts";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { formatCost, formatLatency, formatTime, formatTokens, markEstimate } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { NotFound } from "../../../../web/shell/not-found.tsx";
import { Page } from "../../../../web/shell/page.tsx";
import { rememberOpened } from "../list/last-opened.ts";
import { StatusBadge } from "../status-badge.tsx";
import type { RequestDetails } from "../types.ts";
import { useKeys } from "../use-keys.ts";
import { RequestActions } from "./actions/request-actions.tsx";
import { AttemptsPart } from "./attempts-part.tsx";
import { CandidatesPart } from "./candidates-part.tsx";
import { ChainPart } from "./chain-part.tsx";
import { ConversationPart } from "./conversation-part.tsx";
import { CostPart } from "./cost-part.tsx";
import { DecisionPart } from "./decision-part.tsx";
import { FactsPart } from "./facts-part.tsx";
import { FeedbackPart } from "./feedback-part.tsx";
import { RawPart } from "./raw-part.tsx";
import { Section } from "./section.tsx";
import { ServingPart } from "./serving-part.tsx";
import { SettingsPart } from "./settings-part.tsx";
import { StepButtons } from "./step-buttons.tsx";
import { RequestContext, useRequest } from "./use-request.ts";

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/** One request: what was said, what it cost, how long it took, and why it was served as it was. */
export function RequestPage() {
  const { requestId = "" } = useParams();
  const request = useRequest(requestId);
  const { state } = useLocation();
  const navigate = useNavigate();
  const search = isFromList(state) ? state.search : "";
  const back = { pathname: "..", search };
  useEffect(() => rememberOpened(requestId), [requestId]);
  useKeys({ Escape: () => void navigate(back, { relative: "path" }) });
  const { data } = request;
  if (fieldErrors(request.error)["id"] !== undefined) return <NotFound />;
  return (
    <Page
      title="Request"
      lead={
        data !== undefined && (
          <Group gap="xs" component="span">
            <StatusBadge status={data.facts.status} reason={data.facts.errorReason} />
            <HeaderFacts request={data} />
          </Group>
        )
      }
      back={{ label: "All requests", to: back }}
      actions={<StepButtons id={requestId} search={search} />}
    >
      <ErrorNote error={request.error} onRetry={() => void request.refetch()} />
      {request.isPending && <Skeleton h={400} radius="md" />}
      {data !== undefined && (
        <RequestContext value={requestId}>
          <Parts key={requestId} request={data} />
        </RequestContext>
      )}
    </Page>
  );
}

function Parts({ request }: { readonly request: RequestDetails }) {
  const { facts, decision, cost, attempts, feedback, earlier, content } = request;
  return (
    <>
      <RequestActions request={request} />
      <div className="attune-request-parts">
        <Stack gap="md">
          {request.isRedacted && <Alert color="indigo">This project stores no texts, only their lengths.</Alert>}
          {content === null ? (
            <NoBodies facts={facts} />
          ) : (
            <ConversationPart content={content} ending={<Ending facts={facts} />} />
          )}
          <CandidatesPart attempts={attempts} content={content} feedback={feedback} />
        </Stack>
        <Stack gap="md" className="attune-request-figures">
          <TimingPart facts={facts} />
          <CostPart facts={facts} cost={cost} attempts={attempts} />
          <FeedbackPart feedback={feedback} hasEarlierFeedback={request.hasEarlierFeedback} />
          <FactsPart facts={facts} />
          <ChainPart facts={facts} earlier={earlier} />
          <AttemptsPart facts={facts} attempts={attempts} />
          <DecisionPart facts={facts} decision={decision} />
          {content !== null && <SettingsPart settings={content.settings} />}
          <ServingPart facts={facts} />
        </Stack>
        {content !== null && <RawPart />}
      </div>
    </>
  );
}

function NoBodies({ facts }: Pick<RequestDetails, "facts">) {
  const { deletedAt } = facts;
  return (
    <Section title="Conversation">
      <Text fz="sm" c="dimmed">
        {deletedAt == null
          ? "The texts were not stored, or retention deleted them."
          : `The client deleted the texts, ${formatTime(deletedAt)}.`}
      </Text>
      <Ending facts={facts} />
    </Section>
  );
}

/** Why there is no whole answer. */
function Ending({ facts }: Pick<RequestDetails, "facts">) {
  if (facts.status === "canceled") {
    return (
      <Text fz="sm" c="dimmed">
        The client disconnected before the end.
      </Text>
    );
  }
  if (facts.errorMessage == null) return null;
  const details = [
    facts.errorUpstreamStatus == null ? undefined : `status ${facts.errorUpstreamStatus} of the upstream`,
    facts.errorUpstreamCode ?? undefined,
  ].filter((detail) => detail !== undefined);
  return (
    <Alert color="red" title={`Failed: ${(facts.errorReason ?? "").replaceAll("_", " ")}`}>
      <span className="attune-text">{facts.errorMessage}</span>
      {details.length > 0 && (
        <Text fz="sm" c="dimmed">
          {details.join(", ")}
        </Text>
      )}
    </Alert>
  );
}

function isFromList(state: unknown): state is { readonly search: string } {
  return typeof state === "object" && state !== null && "search" in state && typeof state.search === "string";
}

/** The facts that a request is judged by, in a line below its title: model, cost, latency, tokens and time. */
function HeaderFacts({ request: { facts } }: { readonly request: RequestDetails }) {
  const { model, servedModel, costNanos, latencyMs, usageEstimated, startedAt } = facts;
  const prompt = sum(facts.inputTokens, facts.cacheReadTokens, facts.cacheWriteTokens);
  const all = sum(prompt, facts.outputTokens);
  const isOther = servedModel != null && servedModel !== "" && servedModel !== model;
  const words = [
    isOther ? `${nameText(model)} → ${nameText(servedModel)}` : nameText(model),
    costNanos == null ? undefined : markEstimate(formatCost(costNanos), usageEstimated),
    latencyMs == null ? undefined : formatLatency(latencyMs),
    all === undefined ? undefined : markEstimate(formatTokens(all), usageEstimated),
    formatTime(startedAt),
  ];
  return <span>{words.filter((word) => word !== undefined).join(" · ")}</span>;
}

/** Adds up what is known; undefined where nothing is. */
function sum(...counts: readonly (number | null | undefined)[]): number | undefined {
  const known = counts.filter((count) => count != null);
  return known.length === 0 ? undefined : known.reduce((one, other) => one + other, 0);
}

/** When it began, and how long it took. */
function TimingPart({ facts }: Pick<RequestDetails, "facts">) {
  const { startedAt, latencyMs, timeToFirstTokenMs } = facts;
  const first = timeToFirstTokenMs ?? undefined;
  const share = first === undefined || latencyMs === 0 ? 1 : Math.min(1, first / latencyMs);
  return (
    <Section title="Timing">
      <Text fz="sm">Started {exact.format(new Date(startedAt))}</Text>
      <div className="attune-timing" aria-hidden>
        <Box w={`${share * 100}%`} bg="indigo.3" />
        <Box flex={1} bg={first === undefined ? "indigo.3" : "teal.6"} />
      </div>
      <Group justify="space-between" gap="xs">
        <Text fz="sm">
          {first === undefined ? "Time to first token not recorded" : `First token after ${formatLatency(first)}`}
        </Text>
        <Text fz="sm">Total {formatLatency(latencyMs)}</Text>
      </Group>
    </Section>
  );
}
