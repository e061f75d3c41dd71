import { Anchor, SimpleGrid } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Range } from "../../../web/figures/range.ts";
import { CallsLink } from "../../../web/parts/calls-link.tsx";
import { formatNumber, formatPercent, formatShort } from "../../../web/parts/format.ts";
import { refusedPath } from "../../../web/parts/refused-path.ts";
import { StatCard } from "../../../web/parts/stat-card.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { AFFECTED } from "./affected-part.tsx";
import type { Errors } from "./types.ts";

interface Props {
  readonly errors: Errors | undefined;
  readonly range: Range;
}

/** Shows numbers of failed and refused calls, and of those who noticed. */
export function ErrorCards({ errors, range }: Props) {
  const { id: projectId } = useProject();
  const show = (write: (of: Errors) => ReactNode) => errors && write(errors);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" className="attune-cards">
      <StatCard
        label="Failed calls"
        value={show(({ failed }) => (
          <CallsLink calls={failed} range={range} filter={{ status: "failed" }} what="that failed">
            {formatShort(failed)}
          </CallsLink>
        ))}
        note={show(
          ({ failed, calls }) => `${formatPercent(calls === 0 ? 0 : failed / calls)} of ${formatNumber(calls)} calls`,
        )}
      />
      <StatCard
        label="Refused calls"
        value={show(({ refused }) => (
          <Anchor
            component={Link}
            to={refusedPath(projectId, range)}
            inherit
            aria-label={`${formatShort(refused)} refused calls: show them`}
          >
            {formatShort(refused)}
          </Anchor>
        ))}
        note="before any model was called"
      />
      <StatCard
        label="Affected sessions"
        value={show(({ sessionCount }) => <Affected count={sessionCount} of="sessions" />)}
        note={show(latestNote)}
      />
      <StatCard
        label="Affected end users"
        value={show(({ userCount }) => <Affected count={userCount} of="users" />)}
        note={show(latestNote)}
      />
    </SimpleGrid>
  );
}

/** A number that leads to the list of those whose calls failed most, further down. */
function Affected({ count, of }: { readonly count: number; readonly of: keyof typeof AFFECTED }) {
  const { id, title } = AFFECTED[of];
  if (count === 0) return formatShort(count);
  return (
    <Anchor href={`#${id}`} inherit aria-label={`${formatShort(count)} ${title.toLowerCase()}: show the most affected`}>
      {formatShort(count)}
    </Anchor>
  );
}

function latestNote({ read, failed }: Errors): string {
  return read < failed ? `of the latest ${formatNumber(read)} failed calls` : "of the failed calls";
}
