import { Select } from "@mantine/core";
import { nameText } from "../../parts/name-text.ts";

interface Props {
  readonly workloads: readonly string[];
  /** undefined is all of them. */
  readonly value: string | undefined;
  readonly onChange: (workload: string | undefined) => void;
}

const ALL = "all";

/** Before each name, so that a workload may be called "all", or nothing. */
const MARK = "=";

/** Chooses the workload whose calls are compared. */
export function WorkloadPicker({ workloads, value, onChange }: Props) {
  const listed = value === undefined || workloads.includes(value) ? workloads : [...workloads, value];
  return (
    <Select
      aria-label="Workload"
      data={[
        { value: ALL, label: "All workloads" },
        ...listed.map((name) => ({ value: `${MARK}${name}`, label: name === "" ? "No workload" : nameText(name) })),
      ]}
      value={value === undefined ? ALL : `${MARK}${value}`}
      onChange={(chosen) => chosen !== null && onChange(chosen === ALL ? undefined : chosen.slice(MARK.length))}
      allowDeselect={false}
      searchable={listed.length > 10}
      w={220}
    />
  );
}
