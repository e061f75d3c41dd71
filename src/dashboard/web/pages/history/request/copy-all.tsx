import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { useRequestPlace } from "./use-request.ts";

interface Props {
  readonly side: "request" | "answer";
  /** Characters that there are. */
  readonly length: number;
}

/** More than this is for a file. */
const MAX_LENGTH = 5_000_000;

/** Copies the whole JSON, also what is not shown yet. */
export function CopyAll({ side, length }: Props) {
  const place = useRequestPlace();
  const { copy, copied } = useClipboard({ timeout: 2000 });
  const load = useMutation({
    mutationFn: () => api.history.raw.query({ ...place, side, from: 0, length: MAX_LENGTH }),
    onSuccess: ({ text }) => copy(text),
  });
  if (length > MAX_LENGTH) return null;
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      loading={load.isPending}
      onClick={() => load.mutate()}
      aria-live="polite"
    >
      {copied ? "Copied" : "Copy"}
    </Button>
  );
}
