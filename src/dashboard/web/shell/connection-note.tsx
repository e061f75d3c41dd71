import { Alert, Button, Group } from "@mantine/core";
import { IconPlugConnected, IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { connection } from "../api/connection.ts";
import { formatClock } from "../parts/format.ts";

/** So long it is said that the server is back. */
const SAID_MS = 10_000;

/** Says on every page that the server cannot be reached, since when, and when it is back. */
export function ConnectionNote() {
  const { downSince, reason, backSince } = useSyncExternalStore(connection.subscribe, connection.state);
  const [isTrying, setIsTrying] = useState(false);
  const [saidOf, setSaidOf] = useState<number>();
  useEffect(() => {
    if (backSince === undefined) return;
    const timer = setTimeout(() => setSaidOf(backSince), SAID_MS);
    return () => clearTimeout(timer);
  }, [backSince]);
  const retry = async () => {
    setIsTrying(true);
    await connection.tryNow();
    setIsTrying(false);
  };
  if (downSince !== undefined) {
    return (
      <Alert
        className="attune-connection"
        color="red"
        role="alert"
        icon={<IconPlugConnectedX size={18} aria-hidden />}
        title={`Attune hasn't answered since ${formatClock(downSince)}`}
      >
        <Group justify="space-between">
          {reason} This page shows what it had, and keeps trying.
          <Button size="compact-sm" variant="default" loading={isTrying} onClick={() => void retry()}>
            Try now
          </Button>
        </Group>
      </Alert>
    );
  }
  if (backSince === undefined || saidOf === backSince) return null;
  return (
    <Alert
      className="attune-connection"
      color="indigo"
      role="status"
      icon={<IconPlugConnected size={18} aria-hidden />}
      title={`Attune has been back since ${formatClock(backSince)}`}
    />
  );
}
