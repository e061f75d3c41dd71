import { Anchor, Group, Text } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { formatTime } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { StatusBadge } from "../status-badge.tsx";
import type { RequestDetails } from "../types.ts";
import { Section } from "./section.tsx";

/** The requests that this one continues. Nothing where it continues none. */
export function ChainPart({ facts, earlier }: Pick<RequestDetails, "facts" | "earlier">) {
  const { state } = useLocation();
  if (facts.previousId == null) return null;
  const hasMore = earlier.at(-1)?.previousId != null;
  return (
    <Section title="Continues">
      {earlier.length === 0 && (
        <Text fz="sm" c="dimmed">
          {facts.previousId}, which is no longer there
        </Text>
      )}
      {earlier.map(({ id, model, status, startedAt }) => (
        <Group key={id} gap="xs" justify="space-between">
          <Anchor component={Link} to={`../${id}`} relative="path" state={state} fz="sm" underline="always">
            {nameText(model)}, {formatTime(startedAt)}
          </Anchor>
          <StatusBadge status={status} />
        </Group>
      ))}
      <Text fz="xs" c="dimmed">
        {hasMore ? "There are earlier ones. " : ""}Their messages were put before this request.
      </Text>
    </Section>
  );
}
