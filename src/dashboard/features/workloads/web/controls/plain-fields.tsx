import { Box, NativeSelect, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { CONTROL_FIELDS, controlField, controlLabel } from "../../../../../vocabulary/control-fields.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { type ControlDraft, PLAIN_FIELDS, type PlainField } from "./control-draft.ts";

interface Props {
  readonly draft: ControlDraft;
  readonly set: (part: Partial<ControlDraft>) => void;
  readonly mayChange: boolean;
  /** All models there are. */
  readonly models: readonly string[];
}

const [SHADOW_FIELDS, OTHER_FIELDS] = [
  PLAIN_FIELDS.filter((name) => CONTROL_FIELDS[name].path.startsWith("shadow.")),
  // The mode has a larger field of its own.
  PLAIN_FIELDS.filter((name) => !CONTROL_FIELDS[name].path.startsWith("shadow.") && name !== "mode"),
];

/** The settings that have a value each, apart from those of shadow trials. */
export function PlainFields(props: Props) {
  return (
    <Stack gap="xs">
      {OTHER_FIELDS.map((name) => (
        <PlainFieldInput key={name} name={name} {...props} />
      ))}
    </Stack>
  );
}

/** The shadow trials: their share, their judge, and what they may cost. */
export function ShadowFields(props: Props) {
  const isAmount = (name: PlainField) => CONTROL_FIELDS[name].kind === "number";
  return (
    <Box role="group" aria-label="Shadow trials">
      <Text fz="sm" fw={600}>
        Shadow trials
      </Text>
      <Text fz="xs" c="dimmed" mb="xs">
        Attune also calls other models in the background, and a judge grades their answers. The providers of both get
        the texts. Empty fields are inherited. A share of 0 turns trials off.
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {SHADOW_FIELDS.filter(isAmount).map((name) => (
          <PlainFieldInput key={name} name={name} {...props} />
        ))}
      </SimpleGrid>
      <Stack gap="xs" mt="xs">
        {SHADOW_FIELDS.filter((name) => !isAmount(name)).map((name) => (
          <PlainFieldInput key={name} name={name} {...props} />
        ))}
      </Stack>
    </Box>
  );
}

/** The input of a setting, as its row has it. */
function PlainFieldInput({ name, draft, set, mayChange, models }: Props & { readonly name: PlainField }) {
  const field = controlField(name);
  const common = { label: controlLabel(name), disabled: !mayChange } as const;
  const change = (value: string) => set({ [name]: value });
  if (field.kind === "choice") {
    return (
      <NativeSelect
        {...common}
        data={[
          { value: "", label: "inherited" },
          ...Object.entries(field.words).map(([value, label]) => ({ value, label })),
        ]}
        value={draft[name]}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    );
  }
  if (field.kind === "model") {
    return (
      <Select
        {...common}
        placeholder="inherited"
        data={models.map((model) => ({ value: model, label: nameText(model) }))}
        value={draft[name] === "" ? null : draft[name]}
        onChange={(model) => change(model ?? "")}
        searchable
        clearable
        clearButtonProps={{ "aria-label": `Inherit the ${field.noun}` }}
        nothingFoundMessage="No model of this name"
      />
    );
  }
  if (field.kind === "text") {
    return (
      <Textarea
        {...common}
        placeholder="inherited"
        description={field.help}
        maxLength={field.most}
        autosize
        minRows={2}
        value={draft[name]}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      description={field.path.startsWith("shadow.") ? undefined : field.help}
      placeholder="inherited"
      inputMode="decimal"
      value={draft[name]}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
