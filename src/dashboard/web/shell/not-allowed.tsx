import { IconLock } from "@tabler/icons-react";
import { type Permission, refusalOf } from "../../../hub/permissions.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { Page } from "./page.tsx";
import { useProject } from "./session.ts";

interface Props {
  readonly title: string;
  readonly needs: Permission;
}

/** Stands in place of a page that the role in the project does not let people see. */
export function NotAllowed({ title, needs }: Props) {
  const { role } = useProject();
  const refusal = refusalOf(role, needs);
  const text = `${refusal.charAt(0).toUpperCase()}${refusal.slice(1)}.`;
  return (
    <Page title={title}>
      <EmptyState Icon={IconLock} title="Not for your role" text={text} />
    </Page>
  );
}
