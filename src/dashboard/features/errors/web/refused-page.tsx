import { Group, Select, Text, Title } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useSearchParams } from "react-router";
import { keepPrevious } from "../../../web/api/keep-previous.ts";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { useRange } from "../../../web/figures/range.ts";
import { RangePicker } from "../../../web/figures/range-picker.tsx";
import { Clamped } from "../../../web/parts/clamped.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatNumber, formatTime, NONE } from "../../../web/parts/format.ts";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { useKeyNames } from "../../history/web/use-key-names.ts";

type Refused = Outputs["refusals"]["list"];
type Count = Refused["counts"][number];
type Call = Refused["calls"][number];

const REFRESH_MS = 10_000;

const REASON_WORDS: Readonly<Record<string, string>> = {
  unknown_key: "Unknown key",
  revoked_key: "Revoked key",
  expired_key: "Expired key",
  paused_key: "Paused key",
  not_allowed: "Not allowed",
  unknown_model: "Unknown model",
  limit: "Limit reached",
  budget: "Budget spent",
  bad_request: "Bad request",
  too_large: "Too large",
};

/** Shows the calls that were refused before they were answered: counts by reason and key, and the last of each. */
export function RefusedPage() {
  const { id: projectId } = useProject();
  const { search } = useLocation();
  const [range, setRange] = useRange("30d");
  const refused = useQuery(
    trpc.refusals.list.queryOptions(
      { projectId, ...range },
      { placeholderData: keepPrevious({ projectId }), refetchInterval: REFRESH_MS },
    ),
  );
  const keyName = useKeyNames(
    [...(refused.data?.counts ?? []), ...(refused.data?.calls ?? [])].map(({ keyId }) => keyId),
  );
  const [parameters, setParameters] = useSearchParams();
  const [reason, key] = [parameters.get("reason"), parameters.get("key")];
  const choose = (name: "reason" | "key", value: string | null) =>
    setParameters((old) => {
      const changed = new URLSearchParams(old);
      if (value === null) changed.delete(name);
      else changed.set(name, value);
      return changed;
    });
  const isShown = (row: { readonly reason: string; readonly keyId: string }) =>
    (reason === null || row.reason === reason) && (key === null || row.keyId === key);
  const reasons = [
    ...new Set([...(refused.data?.counts ?? []).map((row) => row.reason), ...(reason === null ? [] : [reason])]),
  ];
  const calls = refused.data?.calls.filter(isShown) ?? [];
  const keys = [...new Set([...(refused.data?.counts ?? []).map((row) => row.keyId), ...(key === null ? [] : [key])])];
  const writeKey = (keyId: string) => (keyId === "" ? NONE : keyName(keyId));
  return (
    <Page
      title="Refused calls"
      lead="Calls that Attune refused before calling a model."
      back={{ label: "Errors", to: { pathname: "..", search } }}
      actions={<RangePicker value={range} onChange={setRange} />}
    >
      <ErrorNote error={refused.error} onRetry={() => void refused.refetch()} />
      <Group gap="sm">
        <Choice
          name="Reason"
          all="All reasons"
          data={reasons.map((value) => ({ value, label: reasonWords(value) }))}
          value={reason}
          onChange={(value) => choose("reason", value)}
        />
        <Choice
          name="Key"
          all="All keys"
          data={keys.map((value) => ({ value, label: value === "" ? "no known key" : keyName(value) }))}
          value={key}
          onChange={(value) => choose("key", value)}
        />
      </Group>
      <DataTable table={COUNTS} rows={refused.data?.counts.filter(isShown)} context={{ writeKey }} />
      {calls.length > 0 && (
        <>
          <Title order={2} size="h4">
            Last calls
          </Title>
          <DataTable table={CALLS} rows={calls} context={{ writeKey }} />
        </>
      )}
    </Page>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly all: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

function Choice({ name, all, data, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={name}
      placeholder={all}
      data={[...data]}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ "aria-label": all }}
      w={220}
    />
  );
}

/** Writes a reason; one without words of its own is shown as it is. */
function reasonWords(reason: string): string {
  return REASON_WORDS[reason] ?? reason;
}

interface Context {
  readonly writeKey: (keyId: string) => string;
}

const COUNTS: TableDescription<Count, Context> = {
  caption: "Refused calls by reason and key",
  rowKey: ({ reason, keyId }) => `${reason} ${keyId}`,
  empty: <EmptyState Icon={IconShieldCheck} title="No refused calls" text="Every call was let through." />,
  columns: [
    { heading: "Reason", cell: ({ reason }) => reasonWords(reason) },
    { heading: "Key", cell: ({ keyId }, { writeKey }) => writeKey(keyId) },
    { heading: "Calls", isNumeric: true, cell: ({ calls }) => formatNumber(calls) },
  ],
};

const CALLS: TableDescription<Call, Context> = {
  caption: "Last refused calls",
  rowKey: ({ id }) => id,
  columns: [
    {
      heading: "Time",
      cell: ({ at }) => (
        <Text fz="sm" span title={formatTime(at)} style={{ whiteSpace: "nowrap" }}>
          {formatAgo(at)}
        </Text>
      ),
    },
    { heading: "Reason", cell: ({ reason }) => reasonWords(reason) },
    { heading: "Key", cell: ({ keyId }, { writeKey }) => writeKey(keyId), isMinor: true },
    { heading: "Call", cell: ({ call }) => call, isMinor: true },
    { heading: "Message", cell: ({ message }) => <Clamped text={message} lines={3} /> },
  ],
};
