import { Alert, Anchor, Box, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCornerDownRight } from "@tabler/icons-react";
import { Link } from "react-router";
import { AnswerFacts } from "../../../../web/parts/answer-facts.tsx";
import { RequestLink } from "../../../../web/parts/request-link.tsx";
import { TextViewSwitch } from "../../../../web/parts/text-view-switch.tsx";
import { VerdictPart } from "../../../../web/parts/verdict-part.tsx";
import { LINKED, pagePath } from "../../../../web/shell/paths.ts";
import { useProject } from "../../../../web/shell/session.ts";
import type { Exchange } from "../exchange.ts";
import { spokenText } from "../formats/answer.ts";
import { useCallFigures } from "../use-call-figures.ts";
import { PieceView } from "./piece-view.tsx";

interface Props {
  readonly exchange: Exchange;
  readonly onGoOn: (() => void) | undefined;
}

/** Shows an answer as it comes, and once it has ended, what is known of it. */
export function AnswerPart({ exchange, onGoOn }: Props) {
  const { answer, state, status } = exchange;
  const isRunning = state === "running";
  return (
    <Stack gap="md">
      <TextViewSwitch />
      <Stack gap="sm" aria-live="polite" aria-busy={isRunning}>
        {answer.parts.map((piece) => (
          <PieceView key={piece.key} piece={piece} />
        ))}
        {isRunning && <Loader size="xs" type="dots" aria-label="The answer is on its way" />}
        {state === "stopped" && (
          <Text c="dimmed" fz="sm">
            You stopped it.
          </Text>
        )}
        {state === "done" && answer.parts.length === 0 && <Text c="dimmed">The answer has no content.</Text>}
        {answer.error !== "" && (
          <Alert
            color="red"
            role="alert"
            icon={<IconAlertTriangle size={18} aria-hidden />}
            title={status === undefined || status === 200 ? "The answer was interrupted" : `Status ${status}`}
          >
            {answer.error}
            <FailedCall exchange={exchange} />
          </Alert>
        )}
      </Stack>
      {!isRunning && <FactsPart exchange={exchange} />}
      {!isRunning && answer.id !== "" && (
        <VerdictPart
          key={answer.id}
          projectId={exchange.request.projectId}
          inferenceId={answer.id}
          source="playground"
        />
      )}
      {onGoOn !== undefined && spokenText(answer) !== "" && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconCornerDownRight size={14} aria-hidden />}
            onClick={onGoOn}
          >
            Continue with this answer
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/**
 * Leads to the record of a call that failed: by the id of its answer where one had begun, else by that of the request.
 */
function FailedCall({ exchange: { answer, headers, status } }: Pick<Props, "exchange">) {
  const project = useProject();
  const requestId = headers.find(([name]) => name === "x-request-id")?.[1];
  if (answer.id !== "" || requestId === undefined) return null;
  const history = pagePath(LINKED.history, project.id);
  // What is refused before a model is asked has no record among the calls.
  const isRefused = status === 401 || status === 403 || status === 429;
  const to = isRefused ? `${history}/refused` : `${history}?${new URLSearchParams({ q: requestId })}`;
  return (
    <Anchor component={Link} to={to} c="inherit" underline="always" fz="sm" display="block" mt="xs">
      {isRefused ? "Show refused calls" : "Find this call in the history"}
    </Anchor>
  );
}

/** Shows what a call took and cost, as it is recorded. */
function FactsPart({ exchange }: { readonly exchange: Exchange }) {
  const { figures, losses } = useCallFigures(exchange);
  if (exchange.answer.id === "") return null;
  return (
    <Box pt="md" style={{ borderTop: "1px solid var(--attune-border)" }}>
      <AnswerFacts figures={figures} />
      {losses.length > 0 && (
        <Text fz="sm" mt="sm">
          Lost in translation: {losses.join(", ")}
        </Text>
      )}
      <Group mt="sm">
        <RequestLink id={exchange.answer.id}>Open this request in the history</RequestLink>
      </Group>
    </Box>
  );
}
