import { writeFileSync } from "node:fs";

/** The answer of the model to everything, token by token; the mark of SentencePiece stands for a space. */
const ANSWER = ["A", "▁lamp", "▁burns", "▁all", "▁night", "."];
export const ANSWER_TEXT = "A lamp burns all night.";

/** Width of each token's vector; more than there are tokens, so that each has a direction of its own. */
const WIDTH = 320;
const CONTEXT = 512;
/** Weight of a token after another: large enough that no sampling picks a third one. */
const CERTAIN = 5;

/** Types of values and tensors in GGUF, and of tokens in llama.cpp. */
const [UINT32, INT32, FLOAT32, STRING, ARRAY] = [4, 5, 6, 8, 9];
const F32 = 0;
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];
const ALIGNMENT = 32;

const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
const TOKENS = ["<unk>", "<s>", "</s>", ...BYTES, ...ANSWER];
const END = 2;
const TYPES = [UNKNOWN, CONTROL, CONTROL, ...BYTES.map(() => BYTE), ...ANSWER.map(() => NORMAL)];

/**
 * Writes a model for llama.cpp, of which nobody has to carry a copy: one layer of the architecture of Llama, whose
 * weights are such that it says one sentence and ends, whatever it is asked.
 * Source: github.com/ggml-org/ggml, docs/gguf.md.
 */
export function writeModel(file: string): void {
  const tensors = tensorsOf();
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(3),
    uint64(tensors.length),
    uint64(METADATA.length),
    ...METADATA.flatMap(([key, value]) => [text(key), value]),
    ...describe(tensors),
  ]);
  const parts = [padded(head), ...tensors.map(({ data }) => padded(Buffer.from(data.buffer)))];
  writeFileSync(file, Buffer.concat(parts));
}

interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

const METADATA: readonly (readonly [key: string, value: Buffer])[] = [
  ["general.architecture", string("llama")],
  ["llama.context_length", number(CONTEXT)],
  ["llama.embedding_length", number(WIDTH)],
  ["llama.block_count", number(1)],
  ["llama.feed_forward_length", number(ALIGNMENT)],
  ["llama.attention.head_count", number(4)],
  ["llama.attention.layer_norm_rms_epsilon", Buffer.concat([uint32(FLOAT32), float32(1e-5)])],
  ["llama.vocab_size", number(TOKENS.length)],
  ["tokenizer.ggml.model", string("llama")],
  ["tokenizer.ggml.tokens", array(STRING, TOKENS.map(text))],
  [
    "tokenizer.ggml.scores",
    array(
      FLOAT32,
      TOKENS.map((_, index) => float32(-index)),
    ),
  ],
  ["tokenizer.ggml.token_type", array(INT32, TYPES.map(uint32))],
  ["tokenizer.ggml.bos_token_id", number(1)],
  ["tokenizer.ggml.eos_token_id", number(END)],
];

/** Attention and feed-forward add nothing: an answer depends on the last token alone. */
function tensorsOf(): readonly Tensor[] {
  const filled = (name: string, shape: readonly number[], value = 0): Tensor => ({
    name: `${name}.weight`,
    shape,
    data: new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(value),
  });
  const embeddings = filled("token_embd", [WIDTH, TOKENS.length]);
  const output = filled("output", [WIDTH, TOKENS.length]);
  for (const token of TOKENS.keys()) {
    embeddings.data[token * WIDTH + token] = 1;
    output.data[nextOf(token) * WIDTH + token] = CERTAIN;
  }
  const square = ["attn_q", "attn_k", "attn_v", "attn_output"].map((name) => filled(`blk.0.${name}`, [WIDTH, WIDTH]));
  const norms = ["blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"].map((name) => filled(name, [WIDTH], 1));
  const wide = ["ffn_gate", "ffn_up"].map((name) => filled(`blk.0.${name}`, [WIDTH, ALIGNMENT]));
  return [embeddings, output, ...square, ...norms, ...wide, filled("blk.0.ffn_down", [ALIGNMENT, WIDTH])];
}

/** The first word follows whatever is no part of the answer, so also the end of each prompt. */
function nextOf(token: number): number {
  const first = TOKENS.length - ANSWER.length;
  if (token < first) return first;
  return token + 1 < TOKENS.length ? token + 1 : END;
}

function describe(tensors: readonly Tensor[]): Buffer[] {
  let offset = 0;
  return tensors.flatMap(({ name, shape, data }) => {
    const start = offset;
    offset += Math.ceil(data.byteLength / ALIGNMENT) * ALIGNMENT;
    return [text(name), uint32(shape.length), ...shape.map(uint64), uint32(F32), uint64(start)];
  });
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function string(value: string): Buffer {
  return Buffer.concat([uint32(STRING), text(value)]);
}

function number(value: number): Buffer {
  return Buffer.concat([uint32(UINT32), uint32(value)]);
}

function array(type: number, values: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(ARRAY), uint32(type), uint64(values.length), ...values]);
}
