import { Button, Divider, Group, Select, Stack } from "@mantine/core";
import { IconCalendarTime } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { formatTime } from "../../../../web/parts/format.ts";
import { readTimes, TimeFields } from "../../../../web/parts/time-fields.tsx";
import { TIME_RANGES } from "../../../../web/parts/time-range.ts";
import { toField, toParameter } from "../../../../web/parts/times.ts";
import { type Filters, readWindow } from "../parse-filters.ts";
import { FilterForm, FilterPopover } from "./filter-popover.tsx";

interface Props {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

const SPANS = TIME_RANGES.map(({ value, label }) => ({ value, label }));

/** Chooses a span until now, a month, or a beginning and an end of which either may be left out. */
export function TimeFilter({ filters, onChange }: Props) {
  return (
    <FilterPopover
      name="Time"
      icon={<IconCalendarTime size={16} aria-hidden />}
      chosen={[describe(filters)]}
      onChange={(changes) => onChange({ since: null, from: null, to: null, ...changes })}
      placeholder="Any time"
      width={460}
    >
      {(apply) => (
        <Stack gap="sm">
          <Select
            label="Until now"
            placeholder="Any time"
            data={SPANS}
            value={filters.since}
            onChange={(since) => apply({ since })}
            clearable
            clearButtonProps={{ "aria-label": "Any time" }}
            comboboxProps={{ withinPortal: false }}
          />
          <Group gap="xs">
            {[getMonth(-1), getMonth(0)].map(({ label, times }) => (
              <Button key={label} size="xs" variant="default" onClick={() => apply(times)}>
                {label}
              </Button>
            ))}
          </Group>
          <Divider label="or" />
          <WindowForm key={`${filters.from} ${filters.to}`} filters={filters} onChange={apply} />
        </Stack>
      )}
    </FilterPopover>
  );
}

function WindowForm({ filters, onChange }: Props) {
  const { from, to } = readWindow({ ...filters, since: null });
  const [texts, setTexts] = useState({ from: toField(from), to: toField(to) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const times = readTimes(texts);
    if (times.error !== undefined) return;
    onChange({ from: toNullable(times.from), to: toNullable(times.to) });
  };
  return (
    <FilterForm any="Any time" onAny={() => onChange({})} onSubmit={submit}>
      <TimeFields value={texts} onChange={(changes) => setTexts((old) => ({ ...old, ...changes }))} />
    </FilterForm>
  );
}

/** Returns a month by the viewer's clock: the current one at 0, the last one at -1. */
function getMonth(offset: number) {
  const now = new Date();
  const start = (months: number) => new Date(now.getFullYear(), now.getMonth() + months);
  return {
    label: start(offset).toLocaleDateString("en", { month: "long", year: "numeric" }),
    times: {
      from: toParameter(start(offset).toISOString()),
      to: toParameter(start(offset + 1).toISOString()),
    },
  };
}

function toNullable(time: string | undefined): string | null {
  return time === undefined ? null : toParameter(time);
}

function describe(filters: Filters): string | null {
  const { from, to } = readWindow({ ...filters, since: null });
  if (from !== undefined && to !== undefined) return `${formatTime(from)} – ${formatTime(to)}`;
  if (from !== undefined) return `From ${formatTime(from)}`;
  if (to !== undefined) return `Before ${formatTime(to)}`;
  return SPANS.find(({ value }) => value === filters.since)?.label ?? null;
}
