import "../history.css";
import { Alert, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { formatTime } from "../../../parts/format.ts";
import { nameText } from "../../../parts/name-text.ts";
import { Page } from "../../../shell/page.tsx";
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
import { TimingPart } from "./timing-part.tsx";
import { RequestContext, useRequest } from "./use-request.ts";

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
  return (
    <Page
      title="Request"
      lead={
        data !== undefined && (
          <Group gap="xs" component="span">
            <StatusBadge status={data.facts.status} reason={data.facts.errorReason} />
            <span>
              {nameText(data.facts.model)}, {formatTime(data.facts.startedAt)}
            </span>
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
