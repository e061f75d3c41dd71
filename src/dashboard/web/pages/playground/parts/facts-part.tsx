import { Box, Group, Text } from "@mantine/core";
import { AnswerFacts } from "../../../parts/answer-facts.tsx";
import { RequestLink } from "../../../parts/request-link.tsx";
import type { Exchange } from "../exchange.ts";
import { useCallFigures } from "../use-call-figures.ts";

/** Shows what a call took and cost, as it is recorded. */
export function FactsPart({ exchange }: { readonly exchange: Exchange }) {
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
