import { Text } from "@mantine/core";
import { Name } from "../../../web/parts/name.tsx";

interface Deployment {
  readonly upstream: string;
  readonly upstreamModel: string;
}

/** An upstream and, in the background, the name of its model there. */
export function DeploymentName({ of: { upstream, upstreamModel } }: { readonly of: Deployment }) {
  return (
    <Text fz="sm" fw={500} style={{ whiteSpace: "nowrap" }}>
      <Name>{upstream}</Name>{" "}
      <Text span inherit fw={400} c="dimmed">
        <Name>{upstreamModel}</Name>
      </Text>
    </Text>
  );
}
