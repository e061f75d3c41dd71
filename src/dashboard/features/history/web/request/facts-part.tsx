import { Anchor, Group } from "@mantine/core";
import { Link } from "react-router";
import { nameText } from "../../../../web/parts/name-text.ts";
import { sessionPath } from "../../../../web/parts/session-path.ts";
import { useProject } from "../../../../web/shell/session.ts";
import type { RequestDetails } from "../types.ts";
import { Section } from "./section.tsx";

/**
 * Session, end user and tags of a request, the session a link to its run, the others to the requests that share them.
 * Nothing where it has none.
 */
export function FactsPart({ facts }: Pick<RequestDetails, "facts">) {
  const { sessionId, sessionSource, parentSessionId, endUserId } = facts;
  const tags = Object.entries(facts.tags ?? {});
  if (sessionId == null && parentSessionId == null && endUserId == null && tags.length === 0) return null;
  return (
    <Section title="Session and tags">
      <dl className="attune-facts">
        {sessionId != null && (
          <>
            <dt>Session</dt>
            <dd>
              <SessionLink id={sessionId} />, from {nameText(sessionSource ?? "")}
            </dd>
          </>
        )}
        {parentSessionId != null && (
          <>
            <dt>Parent session</dt>
            <dd>
              <SessionLink id={parentSessionId} />
            </dd>
          </>
        )}
        {endUserId != null && (
          <>
            <dt>End user</dt>
            <dd>
              <Same name="user" value={endUserId} />
            </dd>
          </>
        )}
        {tags.length > 0 && (
          <>
            <dt>Tags</dt>
            <dd>
              <Group gap="xs">
                {tags.map(([name, value]) => (
                  <Same key={name} name="label" value={`${name}=${value}`} />
                ))}
              </Group>
            </dd>
          </>
        )}
      </dl>
    </Section>
  );
}

function SessionLink({ id }: { readonly id: string }) {
  const project = useProject();
  return (
    <Anchor component={Link} to={sessionPath(project.id, id)} underline="always" fz="sm">
      {nameText(id)}
    </Anchor>
  );
}

/** A link to the requests that have the same. */
function Same({ name, value }: { readonly name: "user" | "label"; readonly value: string }) {
  const to = { pathname: "..", search: `?${new URLSearchParams({ [name]: value })}` };
  return (
    <Anchor component={Link} to={to} relative="path" underline="always" fz="sm">
      {nameText(value)}
    </Anchor>
  );
}
