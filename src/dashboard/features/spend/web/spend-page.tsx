import { Alert, Box, Group, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconCoins } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keepPrevious } from "../../../web/api/keep-previous.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { useRange } from "../../../web/figures/range.ts";
import { RangePicker } from "../../../web/figures/range-picker.tsx";
import { rangeLabel } from "../../../web/figures/step-label.ts";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatCost, formatNumber, formatShort, formatShortCost } from "../../../web/parts/format.ts";
import { type EditedLimits, LimitsDialog } from "../../../web/parts/limits-dialog.tsx";
import { StatCard } from "../../../web/parts/stat-card.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { RevokeKey } from "../../keys/web/revoke-key.tsx";
import type { ApiKey } from "../../keys/web/types.ts";
import { usePauseKey } from "../../keys/web/use-pause-key.ts";
import { Change } from "../../overview/web/change.tsx";
import { BudgetsPart } from "./budgets-part.tsx";
import { DIMENSIONS, useDimension } from "./dimensions.ts";
import { type Ranking, RankingTable } from "./ranking-table.tsx";

const REFRESH_MS = 30_000;

/** Ranks spending, and tells what is left of budgets. */
export function SpendPage() {
  const [range, setRange] = useRange("30d");
  const [dimension, setDimension] = useDimension();
  const project = useProject();
  const { id: projectId } = project;
  const [limiting, setLimiting] = useState<EditedLimits>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const pause = usePauseKey();
  const acts = {
    onLimit: mayAct(project, "limits.change") ? setLimiting : undefined,
    onPause: mayAct(project, "keys.change") ? pause : undefined,
    onRevoke: mayAct(project, "keys.change") ? setRevoking : undefined,
  };
  const ranking = useQuery(
    trpc.spend.ranking.queryOptions(
      { projectId, ...range, by: dimension.value },
      { placeholderData: keepPrevious({ projectId }), refetchInterval: REFRESH_MS },
    ),
  );
  const { data } = ranking;
  return (
    <Page
      title="Spend"
      lead="Cost by key, end user, session and tag, and remaining budgets."
      actions={<RangePicker value={range} onChange={setRange} />}
    >
      <Group gap="sm">
        <Select
          aria-label="Ranking"
          data={DIMENSIONS.map(({ value, label }) => ({ value, label }))}
          value={dimension.value}
          onChange={(value) => value !== null && setDimension(value)}
          allowDeselect={false}
          w={190}
        />
      </Group>
      <ErrorNote error={ranking.error} onRetry={() => void ranking.refetch()} />
      <Stack gap="md">
        <Cards ranking={data} />
        {data?.isTooLong === true ? (
          <Alert color="gray" title="Too many calls to tell sessions apart">
            Session costs are added up call by call. Choose a shorter period.
          </Alert>
        ) : (
          <RankingTable ranking={data} dimension={dimension} empty={<NoCalls />} acts={acts} />
        )}
        <BudgetsPart />
      </Stack>
      <LimitsDialog edited={limiting} onClose={() => setLimiting(undefined)} />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  );
}

function NoCalls() {
  return (
    <EmptyState
      Icon={IconCoins}
      title="No calls to rank"
      text={
        "Choose a longer period or another ranking. To rank by end user or tag, send the header attune-user or " +
        "attune-tags with each call."
      }
    />
  );
}

function Cards({ ranking }: { readonly ranking: Ranking | undefined }) {
  const { total, compared } = ranking ?? {};
  const { now, before } = compared?.before.calls ? compared : {};
  const unknown = ranking?.unpricedCalls ?? 0;
  return (
    <Box>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" className="attune-cards">
        <StatCard
          label="Cost"
          value={total && formatShortCost(total.costNanos)}
          exact={formatCost(total?.costNanos)}
          note={<Change now={now?.costNanos ?? null} before={before?.costNanos ?? null} />}
        />
        <StatCard
          label="Calls"
          value={total && formatShort(total.calls)}
          note={<Change now={now?.calls ?? null} before={before?.calls ?? null} />}
        />
        <StatCard label="Tokens" value={total && formatShort(total.tokens)} note="of prompts and answers" />
        <StatCard
          label="Cost per call"
          value={total && formatShortCost(total.costNanos === null ? null : total.costNanos / total.calls)}
          note={unknown > 0 ? `without ${formatNumber(unknown)} calls of unknown price` : "of all calls"}
        />
      </SimpleGrid>
      {ranking !== undefined && (
        <Text fz="sm" c="dimmed" mt="sm">
          {rangeLabel(ranking.fromMs, ranking.toMs)}. Changes compare with the period before, without the hour that is
          still running. End users and tags are counted in whole days. Tokens cover answered calls. Costs cover all
          attempts.
          {ranking.shadowNanos !== null && ` Shadow trials cost another ${formatShortCost(ranking.shadowNanos)}.`}
        </Text>
      )}
    </Box>
  );
}
