import { Anchor, Box, Group, SimpleGrid, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Range } from "../../../web/figures/range.ts";
import { CallsLink } from "../../../web/parts/calls-link.tsx";
import { historyPath } from "../../../web/parts/history-path.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { sessionPath } from "../../../web/parts/session-path.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { Errors } from "./types.ts";

/** The lists, with the ids by which the page's own links lead to them. */
export const AFFECTED = {
  sessions: { id: "affected-sessions", title: "Sessions" },
  users: { id: "affected-end-users", title: "End users" },
} as const;

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
        {...AFFECTED.sessions}
        rows={errors.sessions}
        range={range}
        filter="session"
        findPath={(id) => sessionPath(projectId, id)}
      />
      <Affected
        {...AFFECTED.users}
        rows={errors.users}
        range={range}
        filter="user"
        findPath={(user) => historyPath(projectId, range, { user })}
      />
    </SimpleGrid>
  );
}

interface AffectedProps {
  readonly id: string;
  readonly title: string;
  readonly rows: Errors["sessions"];
  readonly range: Range;
  readonly filter: "session" | "user";
  /** Returns the address of its page, or of all its calls. */
  readonly findPath: (id: string) => string;
}

function Affected({ id: listId, title, rows, range, filter, findPath }: AffectedProps) {
  return (
    <Box component="section" id={listId} aria-label={title} className="attune-card attune-target" p="md">
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
          <Anchor component={Link} to={findPath(id)} fz="sm" truncate title={nameText(id)}>
            {nameText(id)}
          </Anchor>
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
