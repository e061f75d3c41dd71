import { Group, Pill } from "@mantine/core";
import { nameText } from "../../../parts/name-text.ts";
import type { Filters } from "../parse-filters.ts";

interface Props {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

/** Filters that come with a link from a figure, and have no field of their own here. */
const LABELS = { answered: "Answered by", upstream: "Upstream", reason: "Reason" } as const;

/** Lists the filters that a figure's link has set, and takes each back. */
export function FigureFilters({ filters, onChange }: Props) {
  const set = (Object.keys(LABELS) as (keyof typeof LABELS)[]).filter((name) => filters[name] !== null);
  if (set.length === 0) return null;
  return (
    <Group gap="xs">
      {set.map((name) => {
        const value = filters[name] ?? "";
        const text = `${LABELS[name]}: ${nameText(name === "reason" ? value.replaceAll("_", " ") : value) || "none"}`;
        return (
          <Pill
            key={name}
            size="md"
            withRemoveButton
            onRemove={() => onChange({ [name]: null })}
            removeButtonProps={{ "aria-label": `Remove ${text}`, "aria-hidden": false, tabIndex: 0 }}
          >
            {text}
          </Pill>
        );
      })}
    </Group>
  );
}
