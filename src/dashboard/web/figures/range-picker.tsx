import { Button, Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { lastWeek, RANGES, type Range, readTime, toField } from "./range.ts";

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
  const times = { from: readTime(fields.from), to: readTime(fields.to) };
  const isBackwards = times.from !== undefined && times.to !== undefined && times.from >= times.to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (times.from !== undefined && times.to !== undefined && !isBackwards) {
      onChange({ range: "custom", from: times.from, to: times.to });
    }
  };
  const field = (name: "from" | "to", label: string) => (
    <TextInput
      type="datetime-local"
      size="xs"
      label={label}
      value={fields[name]}
      error={name === "to" && isBackwards ? "must be later than the beginning" : undefined}
      onChange={({ currentTarget: { value } }) => setFields((old) => ({ ...old, [name]: value }))}
      w={190}
    />
  );
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-start">
        {field("from", "From (UTC)")}
        {field("to", "To (UTC)")}
        <Button type="submit" size="xs" variant="default" mt={20}>
          Show
        </Button>
      </Group>
    </form>
  );
}
