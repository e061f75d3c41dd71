import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ControlsSchema } from "../../gen/attune/workload/v1/workload_pb.ts";
import { createMessageValidator } from "../../src/inference/run/validate.ts";
import { settingsToMessage } from "../../src/learning/control-message.ts";
import { enumWords } from "../../src/lib/protobuf/enum-word.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { readControls } from "../../src/store/learning/control-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import {
  CONTROL_FIELDS,
  CONTROL_NAMES,
  type ControlName,
  type ControlSettings,
  controlField,
  controlJsonPath,
  controlMaskPath,
  NO_CONTROLS,
} from "../../src/vocabulary/control-fields.ts";
import { run, service, useRemoteService } from "../cli/remote.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { signedIn } from "../dashboard/people.ts";

const MODEL = "gpt-6-astra";
const OTHER = "claude-haiku-5-5";
const project = DEFAULT_PROJECT.id;
/** A service with a dashboard, which the other one does not have. */
let board: DashboardService;

/** A value of each setting that nothing else has by default, with what it goes with. */
function sampleOf(name: ControlName): Partial<ControlSettings> {
  if (name === "pinned" || name === "hold") return { hold: "pinned", pinned: OTHER };
  const field = controlField(name);
  switch (field.kind) {
    case "choice":
      return { [name]: Object.keys(field.words).at(-1) };
    case "number":
      return { [name]: field.most / 4 };
    case "text":
      return { [name]: "As the contract has it." };
    case "model":
      return { [name]: OTHER };
    case "models":
      return { [name]: [OTHER] };
    case "metrics":
      return { [name]: [{ name: "tone", weight: 0.5 }] };
  }
}

/** The field of a setting in the proto; undefined where it has none. */
function protoFieldOf(name: ControlName): DescField | undefined {
  let message: DescMessage | undefined = ControlsSchema;
  let found: DescField | undefined;
  for (const part of CONTROL_FIELDS[name].path.split(".")) {
    found = message?.fields.find((each) => each.name === part);
    message = found?.fieldKind === "message" ? found.message : undefined;
  }
  return found;
}

/** All fields of the proto that hold a value, by their paths; the parts of a list are its own. */
function* protoPaths(message: DescMessage, prefix = ""): Generator<string> {
  for (const each of message.fields) {
    if (each.fieldKind === "list") yield `${prefix}${each.name}`;
    else if (each.fieldKind === "message") yield* protoPaths(each.message, `${prefix}${each.name}.`);
    else yield `${prefix}${each.name}`;
  }
}

/** Settings as a JSON object has them; `placeOf` names their places. */
function toJson(settings: Partial<ControlSettings>, placeOf: (name: ControlName) => string): object {
  const json: Record<string, Record<string, unknown> | unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const [member = "", inner] = placeOf(name as ControlName).split(".");
    if (inner === undefined) json[member] = value;
    else json[member] = { ...(json[member] as object), [inner]: value };
  }
  return json;
}

/** Sets settings, and takes them away where they are null, through one door. */
type Door = (settings: Partial<ControlSettings>) => Promise<void>;

const DOORS: Readonly<Record<string, Door>> = {
  async rpc(settings) {
    const admin = createClient(AdminService, createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }));
    const paths = [...new Set((Object.keys(settings) as ControlName[]).map(controlMaskPath))];
    const controls = settingsToMessage(settings, (model) => `attune/${model}`);
    const target = { case: "model", value: MODEL } as const;
    await admin.updateControls({ project, target, controls, updateMask: { paths } }, { headers: authorized() });
  },
  async json(settings) {
    const url = `${service.url}/v1/admin/projects/${project}/workloads?model=${MODEL}`;
    const headers = { ...authorized(), "content-type": "application/json" };
    const response = await fetch(url, {
      method: "PATCH",
      headers,
      body: JSON.stringify(toJson(settings, (name) => CONTROL_FIELDS[name].path)),
    });
    expect([response.status, response.ok ? "" : await response.text()]).toEqual([200, ""]);
  },
  async dashboard(settings) {
    const { userId, caller } = await signedIn(board);
    const membership = { user: userId, project, role: "developer" as const, createdAt: new Date() };
    await board.store.query().insertInto("Membership").values(membership).execute();
    const { metrics, ...others } = settings;
    // A metric of which nothing but its name is said has its settings taken back there.
    const said = metrics === undefined ? {} : { metrics: metrics ?? [{ name: "tone" }] };
    const input = { projectId: project, model: MODEL, ...others, ...said };
    expect((await caller.mutate("learning.setControls", input)).error).toBeUndefined();
  },
  async cli(settings) {
    for (const [name, value] of Object.entries(settings)) {
      const option = controlField(name as ControlName).option?.split(" ")[0];
      const on = ["--model", MODEL];
      if (option !== undefined) await run("workloads", "set", `--${option}`, String(value ?? "default"), ...on);
      else if (name === "hold")
        await (value === null ? DOORS["rpc"]?.(settings) : run("workloads", "pin", OTHER, ...on));
      else if (name === "excluded") await run("workloads", "exclude", ...((value as string[] | null) ?? []), ...on);
      else if (name === "metrics") {
        await run("workloads", "metric", "tone", ...(value === null ? [] : ["--weight", "0.5"]), ...on);
      } else if (name !== "pinned") throw new Error(`no command sets ${name}`);
    }
  },
  async apply(settings) {
    const folder = mkdtempSync(join(tmpdir(), "attune-controls-"));
    const file = join(folder, "projects.yaml");
    const workloads = [{ model: MODEL, learning: toJson(settings, controlJsonPath) }];
    writeFileSync(file, JSON.stringify({ projects: [{ name: "default", workloads }] }));
    await run("apply", "--file", file, "--yes");
    rmSync(folder, { recursive: true });
  },
};

const authorized = () => ({ authorization: `Bearer ${process.env["ATTUNE_ADMIN_KEY"]}` });

async function stored(store: Store): Promise<Partial<ControlSettings>> {
  const rows = await readControls(store, project);
  const { key: _, ...settings } = rows.find(({ key }) => key.model === MODEL) ?? { ...NO_CONTROLS, key: undefined };
  return settings;
}

describe("the rows of CONTROL_FIELDS", () => {
  const validate = createMessageValidator(ControlsSchema);

  it("have a row for each field of the message Controls", () => {
    const rows = CONTROL_NAMES.map((name) => CONTROL_FIELDS[name].path);
    expect([...protoPaths(ControlsSchema)].sort()).toEqual([...rows].sort());
  });

  it.each(CONTROL_NAMES)("have the words and the bounds of the proto: %s", (name) => {
    const row = controlField(name);
    const field = protoFieldOf(name);
    if (row.kind === "choice") {
      expect(field?.fieldKind === "enum" && enumWords(field.enum)).toEqual(Object.keys(row.words));
    }
    const isTaken = (value: string | number) => {
      try {
        validate(settingsToMessage({ [name]: value }, (model) => model));
        return true;
      } catch {
        return false;
      }
    };
    if (row.kind === "number")
      expect([0, row.most, -1e-9, row.most * 1.001].map(isTaken)).toEqual([true, true, false, false]);
    if (row.kind === "text")
      expect([row.most, row.most + 1].map((count) => isTaken("x".repeat(count)))).toEqual([true, false]);
  });
});

describe("the doors of the settings of learning", () => {
  useRemoteService();
  beforeAll(async () => {
    board = await startDashboardService();
  });
  afterAll(() => board.close());

  describe.each(Object.keys(DOORS))("%s", (door) => {
    const readStored = () => stored(door === "dashboard" ? board.store : service.store);
    it.each(CONTROL_NAMES)("sets %s, and leaves it to the project again", async (name) => {
      const sample = sampleOf(name);
      await DOORS[door]?.(sample);
      expect(await readStored()).toEqual({ ...NO_CONTROLS, ...sample });
      await DOORS[door]?.(Object.fromEntries(Object.keys(sample).map((each) => [each, null])));
      expect(await readStored()).toEqual(NO_CONTROLS);
    });
  });
});
