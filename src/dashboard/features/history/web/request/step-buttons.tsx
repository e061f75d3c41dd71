import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { type InfiniteData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import { api } from "../../../../web/api/client.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { useProject } from "../../../../web/shell/session.ts";
import { listKey } from "../list/use-requests.ts";
import { hasFilters, readFilters, toRequestFilter } from "../parse-filters.ts";
import type { RequestPageData } from "../types.ts";
import { useKeys } from "../use-keys.ts";

interface Props {
  readonly id: string;
  /** The filters of the list that it was opened from, as an address has them. */
  readonly search: string;
}

/** Leads to the next and to the previous request of the list, also by the keys j and k. */
export function StepButtons({ id, search }: Props) {
  const { newer, older } = useAdjacent(id, search);
  const { state } = useLocation();
  const navigate = useNavigate();
  const open = (other: string | undefined) => {
    if (other !== undefined) void navigate(`../${other}`, { relative: "path", state, replace: true });
  };
  useKeys({ k: () => open(newer), j: () => open(older) });
  const buttons = [
    { label: "Previous request (k)", other: newer, Icon: IconArrowUp },
    { label: "Next request (j)", other: older, Icon: IconArrowDown },
  ];
  return buttons.map(({ label, other, Icon }) => (
    <ActionIcon
      key={label}
      variant="default"
      size="lg"
      aria-label={label}
      title={label}
      disabled={other === undefined}
      onClick={() => open(other)}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  ));
}

/** The requests before and after one in its list. */
interface AdjacentRequests {
  readonly newer: string | undefined;
  readonly older: string | undefined;
}

/** Returns the requests beside one in the list that it was opened from, by the filters in that list's address. */
function useAdjacent(id: string, search: string): AdjacentRequests {
  const { id: projectId } = useProject();
  const filters = readFilters(new URLSearchParams(search));
  const listed = useQueryClient().getQueryData<InfiniteData<RequestPageData>>(listKey(projectId, filters));
  const ids = listed?.pages.flatMap(({ rows }) => rows.map((row) => row.id)) ?? [];
  const at = ids.indexOf(id);
  const [before, after] = at === -1 ? [undefined, undefined] : [ids[at - 1], ids[at + 1]];
  const older = useQuery({
    queryKey: [...trpc.history.list.pathKey(), "older", projectId, id, filters],
    queryFn: async () => {
      const page = await api.history.list.query({
        projectId,
        filter: toRequestFilter(filters),
        cursor: id,
        limit: 1,
      });
      return page.rows[0]?.id ?? null;
    },
    enabled: after === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const newer = useQuery(
    trpc.history.newer.queryOptions(
      { projectId, id },
      // A list that is filtered and not there any more is not made again for this.
      { enabled: at === -1 && !hasFilters(filters), staleTime: 3000 },
    ),
  );
  return { newer: before ?? newer.data ?? undefined, older: after ?? older.data ?? undefined };
}
