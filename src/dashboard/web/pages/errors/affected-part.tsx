import { Anchor, Box, Group, SimpleGrid, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Range } from "../../figures/range.ts";
import { CallsLink } from "../../parts/calls-link.tsx";
import { nameText } from "../../parts/name-text.ts";
import { sessionPath } from "../../parts/session-path.ts";
import { useProject } from "../../shell/session.ts";
import type { Errors } from "./use-errors.ts";

interface Props {
  readonly errors: Errors | undefined;
  readonly range: Range;
}

/** Lists the sessions and end users whose calls failed most. */
export function AffectedPart({ errors, range }: Props) {
  const { id: projectId } = useProject();
  if (errors === undefined || errors.sessions.length + errors.users.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Affected
        title="Sessions"
        rows={errors.sessions}
        range={range}
        filter="session"
        pathOf={(id) => sessionPath(projectId, id)}
      />
      <Affected title="End users" rows={errors.users} range={range} filter="user" />
    </SimpleGrid>
  );
}

interface AffectedProps {
  readonly title: string;
  readonly rows: Errors["sessions"];
  readonly range: Range;
  readonly filter: "session" | "user";
  /** Returns the address of a page of its own. */
  readonly pathOf?: (id: string) => string;
}

function Affected({ title, rows, range, filter, pathOf }: AffectedProps) {
  return (
    <Box component="section" aria-label={title} className="attune-card" p="md">
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {rows.length === 0 && (
        <Text fz="sm" c="dimmed">
          The failed calls name none.
        </Text>
      )}
      {rows.map(({ id, calls }) => (
        <Group key={id} justify="space-between" wrap="nowrap" gap="sm" py={3}>
          {pathOf === undefined ? (
            <Text fz="sm" truncate title={nameText(id)}>
              {nameText(id)}
            </Text>
          ) : (
            <Anchor component={Link} to={pathOf(id)} fz="sm" truncate title={nameText(id)}>
              {nameText(id)}
            </Anchor>
          )}
          <Text fz="sm" span>
            <CallsLink
              calls={calls}
              range={range}
              filter={{ status: "failed", [filter]: id }}
              what={`of ${id} that failed`}
            />
          </Text>
        </Group>
      ))}
    </Box>
  );
}
