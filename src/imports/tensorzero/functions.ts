import type { ImportNote } from "../imported.ts";
import type { SettingsView } from "../settings-view.ts";

/** Reads the sections of a map whose members are maps. */
export function sectionsOf(view: SettingsView): SettingsView[] {
  return view.entries.map(([name]) => view.map(name));
}

/**
 * Says what becomes of each function: its calls are a workload. Returns the models of all variants, once each.
 */
export function readFunctions(functions: SettingsView, notes: ImportNote[]): string[] {
  const models: string[] = [];
  for (const section of sectionsOf(functions)) {
    const name = section.path.slice(functions.path.length + 1);
    const variants = sectionsOf(section.map("variants"));
    const own = variants.flatMap((variant) => variant.text("model") ?? []);
    models.push(...own);
    for (const view of [section, ...variants]) view.takeAll();
    const asked = [...new Set(own)].join(", ");
    notes.push({
      path: section.path,
      text:
        `send its prompt with each request, and the header attune-workload: ${name}. ` +
        "Ask for one of the models of its " +
        `variants (${asked === "" ? "none" : asked}): with feedback, learning finds which of all answers best`,
    });
  }
  return [...new Set(models)];
}

/** Says how the values of each metric are sent. */
export function readMetrics(metrics: SettingsView, notes: ImportNote[]): void {
  for (const section of sectionsOf(metrics)) {
    const name = section.path.slice(metrics.path.length + 1);
    const [level, optimize] = [section.text("level"), section.text("optimize")];
    section.takeAll();
    const where = level === "episode" ? '"session" in place of "id"' : '"id" of the answer';
    const direction = optimize === "min" ? ', and "optimize": "min"' : "";
    notes.push({
      path: section.path,
      text: `needs no setting: send it to POST /v1/feedback as { "${name}": value } with ${where}${direction}`,
    });
  }
}
