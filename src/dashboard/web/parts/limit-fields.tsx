import { MultiSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { capitalize } from "../../../lib/letter-case.ts";
import type { QuotaSettings } from "../../../quotas/quota.ts";
import { QUOTA_FIELD_NAMES, QUOTA_FIELDS } from "../../../quotas/quota-fields.ts";
import { findProblems, type LimitsDraft, limitText } from "./limits-draft.ts";
import { nameText } from "./name-text.ts";

interface Props {
  readonly draft: LimitsDraft;
  readonly onChange: (draft: LimitsDraft) => void;
  /** The limits that hold where none is typed. */
  readonly defaults: QuotaSettings;
  /** Names of the models that may be chosen. */
  readonly models: readonly string[];
  /** Returns what the server said of a rule: its path is that of the operation. */
  readonly findError: (rule: string) => ReactNode;
}

/** The fields of a quota. */
export function LimitFields({ draft, onChange, defaults, models, findError }: Props) {
  const problems = findProblems(draft);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {QUOTA_FIELD_NAMES.map((name) => (
          <TextInput
            key={name}
            label={capitalize(QUOTA_FIELDS[name].label)}
            placeholder={defaultText(limitText(defaults, name), "No limit")}
            inputMode={QUOTA_FIELDS[name].unit === "usd" ? "decimal" : "numeric"}
            value={draft.limits[name]}
            error={problems[name] ? capitalize(problems[name]) : findError(QUOTA_FIELDS[name].rule)}
            onChange={({ currentTarget }) =>
              onChange({ ...draft, limits: { ...draft.limits, [name]: currentTarget.value } })
            }
          />
        ))}
      </SimpleGrid>
      <MultiSelect
        label="Models"
        placeholder={draft.models.length === 0 ? defaultText(defaults.models?.join(", ") ?? "", "All models") : ""}
        data={[...new Set([...models, ...draft.models])].map((name) => ({ value: name, label: nameText(name) }))}
        value={[...draft.models]}
        onChange={(chosen) => onChange({ ...draft, models: chosen })}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Choose no models" }}
        nothingFoundMessage="No model of this name"
        error={findError("models")}
      />
    </>
  );
}

function defaultText(text: string, none: string): string {
  return text === "" ? none : `${text}, by default`;
}
