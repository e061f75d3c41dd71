import { Button, Divider, Group, Popover, Select, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCalendarTime } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { formatTime } from "../../../parts/format.ts";
import { readTimes, TimeFields } from "../../../parts/time-fields.tsx";
import { TIME_RANGES } from "../../../parts/time-range.ts";
import { toField, toParameter } from "../../../parts/times.ts";
import { type Filters, readWindow } from "../parse-filters.ts";

interface Props {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

const SPANS = TIME_RANGES.map(({ value, label }) => ({ value, label }));

/** Chooses a span until now, or a beginning and an end of which either may be left out. */
export function TimeFilter({ filters, onChange }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const label = describe(filters);
  const set = (changes: Partial<Filters>) => {
    onChange({ since: null, from: null, to: null, ...changes });
    close();
  };
  return (
    <Popover opened={isOpen} onChange={(opened) => !opened && close()} position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <Button
          variant={label === undefined ? "default" : "light"}
          onClick={toggle}
          leftSection={<IconCalendarTime size={16} aria-hidden />}
          maw="100%"
        >
          {label ?? "Any time"}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={460} maw="94vw" aria-label="Time">
        <Stack gap="sm">
          <Select
            label="Until now"
            placeholder="Any time"
            data={SPANS}
            value={filters.since}
            onChange={(since) => set({ since })}
            clearable
            clearButtonProps={{ "aria-label": "Any time" }}
            comboboxProps={{ withinPortal: false }}
          />
          <Divider label="or" />
          <WindowForm key={`${filters.from} ${filters.to}`} filters={filters} onSet={set} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface FormProps {
  readonly filters: Filters;
  readonly onSet: (changes: Partial<Filters>) => void;
}

function WindowForm({ filters, onSet }: FormProps) {
  const { from, to } = readWindow({ ...filters, since: null });
  const [texts, setTexts] = useState({ from: toField(from), to: toField(to) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const times = readTimes(texts);
    if (times.error !== undefined) return;
    onSet({ from: toNullable(times.from), to: toNullable(times.to) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TimeFields value={texts} onChange={(changes) => setTexts((old) => ({ ...old, ...changes }))} />
        <Group justify="space-between">
          <Button variant="subtle" color="gray" onClick={() => onSet({})}>
            Any time
          </Button>
          <Button type="submit">Apply</Button>
        </Group>
      </Stack>
    </form>
  );
}

function toNullable(time: string | undefined): string | null {
  return time === undefined ? null : toParameter(time);
}

function describe(filters: Filters): string | undefined {
  const { from, to } = readWindow({ ...filters, since: null });
  if (from !== undefined && to !== undefined) return `${formatTime(from)} – ${formatTime(to)}`;
  if (from !== undefined) return `From ${formatTime(from)}`;
  if (to !== undefined) return `Before ${formatTime(to)}`;
  return SPANS.find(({ value }) => value === filters.since)?.label;
}
