import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The language of a client. */
export type Language = "js" | "python" | "go" | "java" | "rust";

/** A script that has a client make calls. */
interface ClientScript {
  /** Names the folder of the installation. */
  readonly name: string;
  readonly language: Language;
  /** What is installed, each at its release. */
  readonly packages: readonly string[];
  /** The folder that has the scripts of each language. */
  readonly scripts: string;
  /** The script and its arguments. */
  readonly command: readonly string[];
}

/** An installation or a script that takes longer is ended. */
const MINUTES = 20;

type Command = readonly string[];

/** How the clients of a language are installed and run. */
interface Toolchain {
  /** What an installation leaves behind. */
  readonly mark: string;
  install(packages: readonly string[]): readonly Command[];
  /** The name of a file that the installation reads, and its text. */
  manifest?(packages: readonly string[]): readonly [string, string];
  /** Compiles a script, of languages that do. */
  build?(script: string): Command;
  run(command: Command): Command;
}

const TOOLCHAINS: Record<Language, Toolchain> = {
  js: {
    mark: "node_modules",
    install: (packages) => [
      ["npm", "init", "-y"],
      ["npm", "install", "--silent", "--no-audit", "--no-fund", "--legacy-peer-deps", ...packages],
    ],
    run: (command) => [process.execPath, ...command],
  },
  python: {
    mark: "venv",
    install: (packages) => [
      ["python3", "-m", "venv", "venv"],
      // Compiling all modules takes longer than to fetch them.
      ["venv/bin/pip", "install", "--no-compile", "--quiet", "--disable-pip-version-check", ...packages],
    ],
    run: (command) => ["venv/bin/python", ...command],
  },
  go: {
    mark: "go.sum",
    install: (packages) => [
      ["go", "mod", "init", "client"],
      ["go", "get", ...packages],
    ],
    build: (script) => ["go", "build", "-o", "client", script, "steps.go"],
    run: ([, ...args]) => ["./client", ...args],
  },
  java: {
    mark: "lib",
    // Each is a coordinate, GROUP:ARTIFACT:VERSION, with :pom behind it where it has versions of others.
    manifest: (packages) => ["pom.xml", writePom(packages)],
    install: () => [["mvn", "--quiet", "dependency:copy-dependencies", "-DoutputDirectory=lib"]],
    build: (script) => ["javac", "-cp", "lib/*", "-sourcepath", ".", "-d", "classes", script],
    run: ([script = "", ...args]) => ["java", "-cp", "classes:lib/*", script.replace(".java", ""), ...args],
  },
  rust: {
    mark: "Cargo.lock",
    install: (packages) => [
      ["cargo", "init", "--quiet", "--lib", "--name", "client"],
      ["cargo", "add", "--quiet", ...packages],
      // Features that the scripts use of these are those that clients need.
      ["cargo", "add", "--quiet", "futures@0.3", "reqwest@0.13", "serde_json@1", "tokio@1"],
    ],
    build: (script) => {
      const small = ["--config", "profile.dev.debug=false"];
      return ["cargo", "build", "--quiet", ...small, "--example", script.replace(".rs", "")];
    },
    run: ([script = "", ...args]) => [`target/debug/examples/${script.replace(".rs", "")}`, ...args],
  },
};

function writePom(packages: readonly string[]): string {
  const dependencies = (isPom: boolean): string =>
    packages
      .map((coordinate) => coordinate.split(":"))
      .filter(([, , , type]) => (type === "pom") === isPom)
      .map(([group, artifact, version]) => {
        const names = `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
        return `<dependency>${names}${isPom ? "<type>pom</type><scope>import</scope>" : ""}</dependency>`;
      })
      .join("");
  const own = "<groupId>compat</groupId><artifactId>client</artifactId><version>1</version>";
  const managed = `<dependencyManagement><dependencies>${dependencies(true)}</dependencies></dependencyManagement>`;
  const used = `<dependencies>${dependencies(false)}</dependencies>`;
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>${own}${managed}${used}</project>`;
}

/**
 * Installs a client in a folder of its own, runs its script there with these variables, and returns what it prints.
 * `ATTUNE_COMPAT_FOLDER` keeps installations for the next run.
 */
export async function runClient(script: ClientScript, own: Readonly<Record<string, string>>): Promise<string> {
  const { name, language, packages, scripts, command } = script;
  const kept = process.env["ATTUNE_COMPAT_FOLDER"];
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "attune-compat-")) : join(kept, `${language}-${name}`);
  try {
    cpSync(join(scripts, language), folder, { recursive: true });
    const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
    const { mark, manifest, install, build, run } = TOOLCHAINS[language];
    // Registries are reached as this machine reaches them.
    const installing = { folder, env: { ...process.env, PATH: path } };
    if (!existsSync(join(folder, mark))) {
      const [file, text] = manifest?.(packages) ?? [];
      if (file !== undefined) writeFileSync(join(folder, file), text ?? "");
      for (const each of install(packages)) await execute(each, installing);
    }
    if (build !== undefined) await execute(build(command[0] ?? ""), installing);
    const env = { PATH: path, HOME: folder, TMPDIR: folder, ...own };
    return await execute(run(command), { folder, env });
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs a program and returns what it prints; shows it where it fails. */
async function execute(
  [command = "", ...args]: Command,
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    env,
    timeout: MINUTES * 60_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const code = await new Promise((resolve) =>
    child.on("error", ({ message }) => resolve(message)).on("close", resolve),
  );
  if (code !== 0) console.log(`${command} ${args.join(" ")} ended with ${code}\n${(errors || output).slice(-2000)}`);
  return output;
}
