import { Button, CloseButton, Group, Pill, Select, type SelectProps, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconFilter, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { api } from "../../../../web/api/client.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { useProject } from "../../../../web/shell/session.ts";
import { chosenOrder, FILTER_NAMES, type Filters, hasFilters, ORDERS, readWindow } from "../parse-filters.ts";
import { useKeyNames } from "../use-key-names.ts";
import { FactsFilter } from "./facts-filter.tsx";
import { FeedbackFilter } from "./feedback-filter.tsx";
import { TimeFilter } from "./time-filter.tsx";

/** Keys that are offered at a time: whoever looks for another one types a part of its name. */
const OFFERED = 20;

const TYPING_MS = 200;

interface Props {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

const STATUSES = ["completed", "failed", "canceled"];
const NO_FILTERS = Object.fromEntries(FILTER_NAMES.map((name) => [name, null])) as unknown as Filters;

/** Chooses which requests are listed. */
export function FilterBar({ filters, onChange, searchRef }: Props) {
  const { id: projectId } = useProject();
  const [isOpen, { toggle }] = useDisclosure(false);
  const facets = useQuery({
    // By what was chosen: the times in a window go on with the clock.
    queryKey: [...trpc.history.facets.pathKey(), projectId, filters.since, filters.from, filters.to],
    queryFn: () => api.history.facets.query({ projectId, ...readWindow(filters) }),
    staleTime: 30_000,
    placeholderData: (previous, query) => (query?.queryKey[1] === projectId ? previous : undefined),
  });
  const choices = (names: readonly string[] = [], chosen: string | null) => {
    const all = chosen === null || names.includes(chosen) ? names : [chosen, ...names];
    return all.map((value) => ({ value, label: value === "" ? "without one" : nameText(value) }));
  };
  const select = (name: "model" | "key" | "workload" | "status", label: string) => ({
    "aria-label": label,
    placeholder: label,
    value: filters[name],
    onChange: (value: string | null) => onChange({ [name]: value }),
    clearable: true,
    searchable: name !== "status",
    clearButtonProps: { "aria-label": `Any: ${label}` },
    w: { base: "100%", sm: 112 },
    rightSectionWidth: 28,
  });
  return (
    <Stack gap="sm">
      <Group gap="sm" className="attune-history-tools" wrap="nowrap">
        <SearchField
          value={filters.q ?? ""}
          onSearch={(q) => onChange({ q: q === "" ? null : q, whole: null })}
          inputRef={searchRef}
        />
        <Button
          hiddenFrom="sm"
          variant="default"
          onClick={toggle}
          aria-expanded={isOpen}
          leftSection={<IconFilter size={16} aria-hidden />}
        >
          Filters
        </Button>
        {hasFilters(filters) && (
          <Button variant="subtle" color="gray" onClick={() => onChange(NO_FILTERS)}>
            Clear all
          </Button>
        )}
      </Group>
      <Group gap="sm" display={{ base: isOpen ? "flex" : "none", sm: "flex" }}>
        <Select {...select("model", "Model")} data={choices(facets.data?.models, filters.model)} />
        <KeyFilter {...select("key", "Key")} />
        <Select {...select("workload", "Workload")} data={choices(facets.data?.workloads, filters.workload)} />
        <Select {...select("status", "Status")} data={STATUSES} />
        <Select
          aria-label="Order"
          placeholder="Newest first"
          data={ORDERS}
          value={chosenOrder(filters) ?? null}
          onChange={(sort) => onChange({ sort })}
          disabled={(filters.q ?? "") !== ""}
          clearable
          clearButtonProps={{ "aria-label": "Newest first" }}
          w={{ base: "100%", sm: 134 }}
          rightSectionWidth={28}
        />
        <TimeFilter filters={filters} onChange={onChange} />
        <FactsFilter filters={filters} onChange={onChange} />
        <FeedbackFilter filters={filters} metrics={facets.data?.metrics ?? []} onChange={onChange} />
      </Group>
      <FigureFilters filters={filters} onChange={onChange} />
    </Stack>
  );
}

/** Chooses a key of many: those that match what is typed are looked for as it is typed. */
function KeyFilter({ value = null, ...props }: SelectProps) {
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const chosen = value === null ? [] : [value];
  const keyName = useKeyNames(chosen);
  const chosenName = value === null ? "" : keyName(value);
  // What is chosen stands in the field, and is no search.
  const wanted = text === chosenName ? "" : text;
  const found = useQuery(
    trpc.keys.list.queryOptions(
      { projectId, text: wanted, withEnded: true, order: "lastUsed", limit: OFFERED },
      { placeholderData: keepPreviousData, staleTime: 30_000 },
    ),
  );
  const offered = found.data?.keys.filter(({ publicId }) => publicId !== value) ?? [];
  return (
    <Select
      {...props}
      value={value}
      data={[
        ...chosen.map((id) => ({ value: id, label: chosenName })),
        ...offered.map(({ publicId, name }) => ({ value: publicId, label: nameText(name) })),
      ]}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage="No such key"
    />
  );
}

interface FigureFiltersProps {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

/** Filters that come with a link from a figure, and have no field of their own here. */
const LABELS = { answered: "Answered by", upstream: "Upstream", reason: "Reason" } as const;

/** Lists the filters that a figure's link has set, and takes each back. */
function FigureFilters({ filters, onChange }: FigureFiltersProps) {
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

interface SearchFieldProps {
  /** The current search text. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}

/** Searches when Enter is pressed. */
function SearchField({ value, onSearch, inputRef }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <search style={{ flex: "1 1 16rem" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <TextInput
          ref={inputRef}
          type="text"
          aria-label="Search in texts, or for an id"
          placeholder="First words of a prompt or an answer, or an id; then Enter"
          value={text}
          maxLength={500}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            value !== "" && <CloseButton size="sm" aria-label="Search for nothing" onClick={() => onSearch("")} />
          }
        />
      </form>
    </search>
  );
}
