import type { ContentData } from "../types.ts";
import { LongText } from "./long-text.tsx";
import { Section } from "./section.tsx";

/** The settings of a request beside its messages. */
export function SettingsPart({ settings }: Pick<ContentData, "settings">) {
  if (settings.length === 0) return null;
  const values = settings.filter((setting) => "value" in setting);
  const texts = settings.filter((setting) => "text" in setting);
  return (
    <Section title="Settings" isMinor>
      {values.length > 0 && (
        <dl className="attune-facts">
          {values.map(({ name, value }) => (
            <div key={name} style={{ display: "contents" }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {texts.map(({ name, text }) => (
        <details key={name} className="attune-block">
          <summary>{name}</summary>
          <LongText text={text} isCode />
        </details>
      ))}
    </Section>
  );
}
