import { Alert } from "@mantine/core";
import { IconPlayerPause, IconPlugConnected } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { errorText, isUnreachable } from "../../../../web/api/errors.ts";
import { formatClock } from "../../../../web/parts/format.ts";

interface Props {
  /** Why new requests cannot be looked for; null while they can. */
  readonly failure: unknown;
  /** When they last could be, in milliseconds since 1970. */
  readonly since: number;
}

/** So long it is said that the list is live again. */
const SAID_MS = 10_000;

/** Says that the list is no longer live, since when, and when it is again. */
export function LiveNote({ failure, since }: Props) {
  const [liveAgainAt, setLiveAgainAt] = useState<number>();
  const hasFailed = failure !== null;
  useEffect(() => {
    if (!hasFailed) return;
    setLiveAgainAt(undefined);
    return () => setLiveAgainAt(Date.now());
  }, [hasFailed]);
  useEffect(() => {
    if (liveAgainAt === undefined) return;
    const timer = setTimeout(() => setLiveAgainAt(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [liveAgainAt]);
  if (hasFailed) {
    return (
      <Alert
        color="red"
        role="alert"
        icon={<IconPlayerPause size={18} aria-hidden />}
        title={`The list is not live since ${formatClock(since)}`}
      >
        {isUnreachable(failure) ? "" : `${errorText(failure)}. `}Requests that came since then are missing here; it is
        tried again by itself.
      </Alert>
    );
  }
  if (liveAgainAt === undefined) return null;
  return (
    <Alert
      color="indigo"
      role="status"
      icon={<IconPlugConnected size={18} aria-hidden />}
      title={`The list is live again since ${formatClock(liveAgainAt)}`}
    />
  );
}
