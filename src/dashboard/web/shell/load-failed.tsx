import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { connection } from "../api/connection.ts";
import { formatClock } from "../parts/format.ts";
import { reloadOnce } from "./lazy-part.ts";

/** Stands in for a page that did not come; loads it by itself when the server is there, or has a new version. */
export function LoadFailed() {
  const { downSince } = useSyncExternalStore(connection.subscribe, connection.state);
  const [isTrying, setIsTrying] = useState(true);
  const [isVain, setIsVain] = useState(false);
  useEffect(() => {
    const load = () => setIsVain(!reloadOnce());
    const onChange = () => {
      if (connection.state().backSince !== undefined) load();
    };
    const unsubscribe = connection.subscribe(onChange);
    void connection.tryNow().then((isThere) => {
      setIsTrying(false);
      // A server that is there has other parts by now.
      if (isThere) load();
      else connection.reportDown("Attune cannot be reached. Is it running?");
    });
    return unsubscribe;
  }, []);
  const retry = async () => {
    setIsTrying(true);
    // To load anew while the server is away would lose this page for the browser's own.
    if (await connection.tryNow()) location.reload();
    setIsTrying(false);
  };
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" maw={480} role="alert">
        <Title order={1} size="h3">
          This page could not be loaded
        </Title>
        <Text c="dimmed" ta="center">
          {downSince !== undefined &&
            `Attune cannot be reached since ${formatClock(downSince)}. The page loads when it is back.`}
          {downSince === undefined && isVain && "Attune answers, but this part of its dashboard does not load."}
          {downSince === undefined && !isVain && "Trying again."}
        </Text>
        <Button loading={isTrying} onClick={() => void retry()}>
          Try again
        </Button>
      </Stack>
    </Center>
  );
}
