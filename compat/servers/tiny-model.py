"""Writes a model of 2 MB for llama.cpp that says what it is told by the last letter of its prompt, always the same.

Each token leads to one other: the embedding of a token is a direction of its own, the only layer adds nothing, and the
output of a token looks where its forerunner points. `>` is answered with "Hi there!" and the end, `~` with letters
without end, `^` with the beginning of a tool call. Usage: python tiny-model.py FILE
"""

import sys

import gguf
import numpy

WIDTH, HEAD, CONTEXT = 256, 64, 2048
ENDLESS = "~abcdfgklmnopquvwxyz"
CALL = "<tool_call>"

# The prompt ends with what was said last. Tools are there so that the server takes the template for one that has them.
TEMPLATE = """{%- if tools %}<tools>{% for tool in tools %}{{ tool | tojson }}{% endfor %}</tools>{% endif -%}
{%- for message in messages -%}
{%- if message.content %}{{ message.content }}{% endif -%}
{%- if message.tool_calls %}{% for call in message.tool_calls -%}
{{- '<tool_call>{"name": "' + call.function.name + '", "arguments": ' -}}
{{- call.function.arguments | tojson -}}
{{- '}</tool_call>' -}}
{%- endfor %}{% endif -%}
{%- endfor -%}"""

special = ["<unk>", "<s>", "</s>"]
bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
letters = ["\u2581"] + [chr(code) for code in range(33, 127)]
tokens = special + bytes_ + letters + [CALL]
types = [2, 3, 3] + [6] * 256 + [1] * len(letters) + [4]
place = {token: at for at, token in enumerate(tokens)}
END = 2


def chain():
    following = {}
    said = [place["\u2581" if letter == " " else letter] for letter in ">Hi there!"]
    # "Hi there!" says e twice; the second one is the byte.
    said[8] = 3 + ord("e")
    for one, other in zip(said, said[1:]):
        following[one] = other
    following[said[-1]] = END
    following[place["^"]] = place[CALL]
    endless = [place[letter] for letter in ENDLESS]
    for one, other in zip(endless, endless[1:]):
        following[one] = other
    following[endless[-1]] = endless[1]
    return following


random = numpy.random.default_rng(7)
embedding = random.standard_normal((len(tokens), WIDTH)).astype(numpy.float32)
embedding /= numpy.linalg.norm(embedding, axis=1, keepdims=True)
output = numpy.zeros_like(embedding)
following = chain()
for token in range(len(tokens)):
    isKnown = token in following
    output[following.get(token, END)] += (20 if isKnown else 5) * embedding[token]

writer = gguf.GGUFWriter(sys.argv[1], "llama")
writer.add_context_length(CONTEXT)
writer.add_embedding_length(WIDTH)
writer.add_block_count(1)
writer.add_feed_forward_length(32)
writer.add_head_count(WIDTH // HEAD)
writer.add_head_count_kv(1)
writer.add_rope_dimension_count(HEAD)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_tokenizer_model("llama")
writer.add_token_list(tokens)
writer.add_token_scores([0.0] * len(tokens))
writer.add_token_types(types)
writer.add_bos_token_id(1)
writer.add_eos_token_id(END)
writer.add_add_bos_token(False)
writer.add_add_space_prefix(False)
writer.add_chat_template(TEMPLATE)


def zeros(name, *shape):
    writer.add_tensor(f"blk.0.{name}.weight", numpy.zeros(shape, numpy.float32))


writer.add_tensor("token_embd.weight", embedding)
writer.add_tensor("output.weight", output)
writer.add_tensor("output_norm.weight", numpy.ones(WIDTH, numpy.float32))
for name in ["attn_norm", "ffn_norm"]:
    writer.add_tensor(f"blk.0.{name}.weight", numpy.ones(WIDTH, numpy.float32))
zeros("attn_q", WIDTH, WIDTH)
zeros("attn_k", HEAD, WIDTH)
zeros("attn_v", HEAD, WIDTH)
zeros("attn_output", WIDTH, WIDTH)
zeros("ffn_gate", 32, WIDTH)
zeros("ffn_up", 32, WIDTH)
zeros("ffn_down", WIDTH, 32)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
