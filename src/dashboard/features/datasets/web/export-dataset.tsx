import { Button, Modal, Radio, Stack, Switch, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { DASHBOARD_PATH } from "../../../web/dashboard-path.ts";
import { DialogFooter } from "../../../web/parts/dialog-form.tsx";
import { useProject } from "../../../web/shell/session.ts";

const FORMS = [
  {
    value: "openai",
    label: "OpenAI fine-tuning",
    text: "Messages and tools of each request, with its answer. An answer with more bad feedback than good has weight 0.",
  },
  {
    value: "anthropic",
    label: "Anthropic fine-tuning (Bedrock)",
    text: "System prompt and texts in turns. Requests with tools or pictures, and answers with bad feedback, are left out.",
  },
  {
    value: "replay",
    label: "Rows for replays",
    text: "Prompts with the scores and costs of both models of the latest run. Run the dataset first.",
  },
  {
    value: "records",
    label: "Records",
    text: "All that is known of each request: texts, facts, attempts and every feedback.",
  },
];

/** Downloads a dataset as JSON lines. */
export function ExportDataset({ id }: { readonly id: string }) {
  const { id: projectId } = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const choices = useForm({ initialValues: { form: "openai", isGoodOnly: false } });
  const { form, isGoodOnly } = choices.values;
  const input = encodeURIComponent(JSON.stringify({ projectId, id, form, rated: isGoodOnly ? "good" : "all" }));
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconDownload size={16} aria-hidden />}>
        Export
      </Button>
      <Modal opened={isOpen} onClose={close} title="Export the dataset">
        <Stack>
          <Radio.Group label="Form" {...choices.getInputProps("form")}>
            <Stack gap="sm" mt="xs">
              {FORMS.map(({ value, label, text }) => (
                <Radio key={value} value={value} label={label} description={text} />
              ))}
            </Stack>
          </Radio.Group>
          <Switch
            label="Only answers with more good feedback than bad"
            {...choices.getInputProps("isGoodOnly", { type: "checkbox" })}
          />
          <Text fz="sm" c="dimmed">
            A file of JSON lines. Requests without stored texts are left out of training data.
          </Text>
          <DialogFooter onCancel={close}>
            <Button component="a" href={`${DASHBOARD_PATH}/api/export/dataset?input=${input}`} download onClick={close}>
              Download
            </Button>
          </DialogFooter>
        </Stack>
      </Modal>
    </>
  );
}
