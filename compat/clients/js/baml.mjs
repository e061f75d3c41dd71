import { BamlRuntime, ClientRegistry, Collector, setLogLevel } from "@boundaryml/baml";
import { key as api_key, run, url } from "./steps.mjs";

setLogLevel("OFF");
const source = `client<llm> Unused {
  provider openai
  options { model "unused" }
}
function Greet(name: string) -> string {
  client Unused
  prompt #"{{ _.role("user") }} Hello {{ name }} {{ ctx.output_format }}"#
}`;
const runtime = BamlRuntime.fromFiles("baml_src", { "main.baml": source }, {});
const providers = {
  chat: { provider: "openai-generic", base_url: `${url}/v1` },
  responses: { provider: "openai-responses", base_url: `${url}/v1` },
  messages: { provider: "anthropic", base_url: url },
};

/** The model is chosen at run time, as its generated clients do. */
function call({ provider, base_url }, model) {
  const registry = new ClientRegistry();
  registry.addLlmClient("Attune", provider, { model, base_url, api_key });
  registry.setPrimary("Attune");
  const collector = new Collector();
  return { collector, more: [runtime.createContextManager(), null, registry, [collector], {}, {}] };
}

const steps = {};
for (const [name, options] of Object.entries(providers)) {
  steps[name] = async (model) => {
    const { collector, more } = call(options, model);
    const result = await runtime.callFunction("Greet", { name: "you" }, ...more);
    return { text: result.parsed(false), id: collector.last.calls[0].httpResponse.body.json().id };
  };
  steps[`${name} stream`] = async (model) => {
    const { collector, more } = call(options, model);
    const stream = runtime.streamFunction("Greet", { name: "you" }, () => {}, ...more);
    const text = (await stream.done(more[0])).parsed(false);
    const events = collector.last.calls[0].sseResponses().map((event) => event.json());
    const first = events.find((event) => event?.id ?? event?.response?.id ?? event?.message?.id);
    return { text, id: first?.id ?? (first?.response ?? first?.message)?.id };
  };
}
await run(steps);
