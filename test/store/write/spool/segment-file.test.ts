import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeFrame, readFrames } from "../../../../src/store/write/spool/frame.ts";
import { SegmentFile } from "../../../../src/store/write/spool/segment-file.ts";
import { runModule } from "../../../support/run-module.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";
import { waitFor } from "../../../support/wait.ts";

const source = (name: string) =>
  JSON.stringify(new URL(`../../../../src/store/write/spool/${name}.ts`, import.meta.url).href);
const fail = (error: Error) => {
  throw error;
};

function payloads(path: string): string[] {
  const { frames, brokenBytes } = readFrames(readFileSync(path), { frames: 1e6, isComplete: true });
  expect(brokenBytes).toBe(0);
  return frames.map(({ payload }) => payload.toString());
}

describe("SegmentFile", () => {
  const newFolder = useTemporaryFolders();

  it("appends frames that can be read at once", () => {
    const path = join(newFolder(), "segment");
    const file = new SegmentFile(path);
    file.append(encodeFrame([Buffer.from("o"), Buffer.from("ne")]));
    expect(payloads(path)).toEqual(["one"]);
    file.append(encodeFrame([Buffer.from("two")]));
    expect(payloads(path)).toEqual(["one", "two"]);
    expect(file.bytes).toBe(46);
    file.close(fail);
  });

  it("takes no file that is there already", () => {
    const path = join(newFolder(), "segment");
    new SegmentFile(path).close(fail);
    expect(() => new SegmentFile(path)).toThrow(/EEXIST/);
  });

  it("is as it was after an append that the system refused half-way, and goes on where there is room", async () => {
    const path = join(newFolder(), "segment");
    // Blocks of 512 bytes: 4096 bytes may be written.
    const other = runModule(
      `
      import { SegmentFile } from ${source("segment-file")};
      import { encodeFrame } from ${source("frame")};
      const file = new SegmentFile(${JSON.stringify(path)});
      const append = (text) => {
        try { file.append(encodeFrame([Buffer.from(text)])); return "taken"; } catch (error) { return error.code; }
      };
      process.on("SIGXFSZ", () => {});
      const said = [append("first"), append("x".repeat(5000)), append("y".repeat(4000)), append("z".repeat(100)), append("last")];
      console.log(JSON.stringify([said, file.bytes]));
    `,
      "-f 8",
    );
    const [said, bytes] = JSON.parse(await other.nextLine());
    expect(await other.ended).toBe(0);
    const texts = payloads(path);
    expect(said).toEqual([
      "taken",
      expect.stringMatching(/^(ENOSPC|EFBIG)$/),
      "taken",
      expect.any(String),
      expect.any(String),
    ]);
    expect(texts.slice(0, 2)).toEqual(["first", "y".repeat(4000)]);
    expect(texts).toHaveLength(said.filter((one: string) => one === "taken").length);
    expect(readFileSync(path)).toHaveLength(bytes);
  });

  it("closes its file once the system has it on the disk", async () => {
    const path = join(newFolder(), "segment");
    const file = new SegmentFile(path);
    const isOpen = () =>
      readdirSync("/proc/self/fd").some((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`) === path;
        } catch {
          return false;
        }
      });
    file.append(encodeFrame([Buffer.from("one")]));
    file.sync(fail);
    file.append(encodeFrame([Buffer.from("two")]));
    file.close(fail);
    expect(isOpen()).toBe(true);
    await waitFor(() => expect(isOpen()).toBe(false));
    expect(payloads(path)).toEqual(["one", "two"]);
  });
});
