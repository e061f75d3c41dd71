import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { connection } from "../api/connection.ts";
import { formatClock } from "../parts/format.ts";
import { LoadError, reloadOnce } from "./lazy-part.ts";

interface Props {
  readonly children: ReactNode;
  /** A new key, such as the address, shows the children again. */
  readonly resetKey?: string;
}

interface State {
  readonly thrown: unknown;
  readonly resetKey: string | undefined;
}

/** Shows that a page broke or did not come, and a way on, where otherwise nothing would be seen. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { thrown: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { thrown: thrown ?? new Error("unknown error") };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { thrown: undefined, resetKey };
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    if (thrown === undefined) return this.props.children;
    if (thrown instanceof LoadError) return <LoadFailed />;
    return (
      <Center mih="60vh" p="md">
        <Stack align="center" maw={480} role="alert">
          <Title order={1} size="h3">
            This page broke
          </Title>
          <Text c="dimmed" ta="center">
            {thrown instanceof Error ? thrown.message : String(thrown)}
          </Text>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </Stack>
      </Center>
    );
  }
}

/** Stands in for a page that did not come; loads it by itself when the server is there, or has a new version. */
function LoadFailed() {
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
