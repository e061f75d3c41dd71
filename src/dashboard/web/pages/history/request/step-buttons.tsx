import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useLocation, useNavigate } from "react-router";
import { useKeys } from "../use-keys.ts";
import { useAdjacent } from "./use-adjacent.ts";

interface Props {
  readonly id: string;
  /** The filters of the list that it was opened from, as an address has them. */
  readonly search: string;
}

/** Leads to the next and to the previous request of the list, also by the keys j and k. */
export function StepButtons({ id, search }: Props) {
  const { newer, older } = useAdjacent(id, search);
  const { state } = useLocation();
  const navigate = useNavigate();
  const open = (other: string | undefined) => {
    if (other !== undefined) void navigate(`../${other}`, { relative: "path", state, replace: true });
  };
  useKeys({ k: () => open(newer), j: () => open(older) });
  const buttons = [
    { label: "Previous request (k)", other: newer, Icon: IconArrowUp },
    { label: "Next request (j)", other: older, Icon: IconArrowDown },
  ];
  return buttons.map(({ label, other, Icon }) => (
    <ActionIcon
      key={label}
      variant="default"
      size="lg"
      aria-label={label}
      title={label}
      disabled={other === undefined}
      onClick={() => open(other)}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  ));
}
