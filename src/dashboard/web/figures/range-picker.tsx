import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { readTimes, TimeFields } from "../parts/time-fields.tsx";
import { toField } from "../parts/times.ts";
import { lastWeek, RANGES, type Range } from "./range.ts";

interface Props {
  readonly value: Range;
  readonly onChange: (range: Range) => void;
}

/** Chooses the time that the page's figures are of. */
export function RangePicker({ value, onChange }: Props) {
  return (
    <Stack gap="xs" maw="100%">
      <SegmentedControl
        aria-label="Time range"
        size="sm"
        value={value.range}
        onChange={(name) => {
          const range = RANGES.find((known) => known.value === name)?.value;
          if (range !== undefined) onChange(range === "custom" ? lastWeek(Date.now()) : { range });
        }}
        data={RANGES.map(({ value: name, label }) => ({ value: name, label }))}
        className="attune-range"
      />
      {value.range === "custom" && (
        <CustomRange key={`${value.from} ${value.to}`} from={value.from} to={value.to} onChange={onChange} />
      )}
    </Stack>
  );
}

interface CustomProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (range: Range) => void;
}

function CustomRange({ from, to, onChange }: CustomProps) {
  const [fields, setFields] = useState({ from: toField(from), to: toField(to) });
  const times = readTimes(fields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (times.from !== undefined && times.to !== undefined && times.error === undefined) {
      onChange({ range: "custom", from: times.from, to: times.to });
    }
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-start">
        <TimeFields value={fields} onChange={(changes) => setFields((old) => ({ ...old, ...changes }))} />
        <Button type="submit" size="xs" variant="default" mt={20}>
          Show
        </Button>
      </Group>
    </form>
  );
}
