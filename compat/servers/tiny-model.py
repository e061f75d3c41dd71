"""Writes a model of 2 MB that says what it is told by the last letter of its prompt, always the same.

Each token leads to one other: the embedding of a token is a direction of its own, the only layer adds nothing, and the
output of a token looks where its forerunner points. `>` is answered with "Hi there!" and the end, or with an object
where a grammar asks for one. `~` is answered with letters without end, `^` with a call of the tool `look`, `%` with a
thought and then as `>`, and `=` with `<`.

Usage: python tiny-model.py FILE.gguf (for llama.cpp; needs gguf)
       python tiny-model.py FOLDER (for Hugging Face's libraries; needs safetensors)
"""

import json
import os
import sys

import numpy

WIDTH, HEAD, CONTEXT, INNER = 256, 64, 2048, 32
ENDLESS = "~abcdfgklmnopquvwxyz"
CALL, CALL_END, THINK, THINK_END = "<tool_call>", "</tool_call>", "<think>", "</think>"
CALL_BODY = '\n{"name": "look", "arguments": {"ok": true}}\n'
OBJECT = '{"ok": true}'
# Servers such as vLLM have a required call written so.
CALL_LIST = '[{"name": "look", "parameters": {"ok": true}}]'

# The prompt ends with what was said last. Tools are there so that the server takes the template for one that has them.
TEMPLATE = """{%- if tools %}<tools>{% for tool in tools %}{{ tool | tojson }}{% endfor %}</tools>{% endif -%}
{%- for message in messages -%}
{%- if message.content %}{{ message.content }}{% endif -%}
{%- if message.tool_calls %}{% for call in message.tool_calls -%}
{%- set tool_call = call.function -%}
{{- '<tool_call>{"name": "' + tool_call.name + '", "arguments": ' -}}
{{- tool_call.arguments | tojson -}}
{{- '}</tool_call>' -}}
{%- endfor %}{% endif -%}
{%- endfor -%}"""

target = sys.argv[1]
isGguf = target.endswith(".gguf")
special = ["<unk>", "<s>", "</s>"]
bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
SPACE = "\u2581" if isGguf else " "
letters = [SPACE] + [chr(code) for code in range(33, 127)]
marks = [CALL, CALL_END, THINK, THINK_END]
# Nothing that is read becomes one of these.
wholes = [text.replace(" ", SPACE) for text in [CALL_BODY, OBJECT, CALL_LIST, "Hm."]]
tokens = special + bytes_ + letters + marks + wholes
types = [2, 3, 3] + [6] * 256 + [1] * len(letters) + [4] * len(marks) + [1] * len(wholes)
place = {token: at for at, token in enumerate(tokens)}
call_body, object_, call_list, thought = (place[token] for token in wholes)
END = 2


def chain():
    """Returns the tokens that may follow each token, the dearest first."""
    following = {}
    said = [place[SPACE if letter == " " else letter] for letter in ">Hi there!"]
    # "Hi there!" says e twice; the second one is the byte.
    said[8] = 3 + ord("e")
    for one, other in zip(said, said[1:]):
        following[one] = [other]
    following[said[-1]] = [END]
    following[place[">"]].append(object_)
    following[place["^"]] = [place[CALL], call_list, object_]
    following[place[CALL]] = [call_body]
    following[call_body] = [place[CALL_END]]
    following[place["="]] = [place["<"]]
    following[place["%"]] = [place[THINK]]
    following[place[THINK]] = [thought]
    following[thought] = [place[THINK_END]]
    following[place[THINK_END]] = [place["H"]]
    endless = [place[letter] for letter in ENDLESS]
    for one, other in zip(endless, endless[1:]):
        following[one] = [other]
    following[endless[-1]] = [endless[1]]
    return following


random = numpy.random.default_rng(7)
embedding = random.standard_normal((len(tokens), WIDTH)).astype(numpy.float32)
embedding /= numpy.linalg.norm(embedding, axis=1, keepdims=True)
output = numpy.zeros_like(embedding)
following = chain()
for token in range(len(tokens)):
    if token in following:
        for other, weight in zip(following[token], [20, 15, 12]):
            output[other] += weight * embedding[token]
    else:
        output[END] += 5 * embedding[token]


def ones(*shape):
    return numpy.ones(shape, numpy.float32)


def zeros(*shape):
    return numpy.zeros(shape, numpy.float32)


def write_gguf(file):
    import gguf

    writer = gguf.GGUFWriter(file, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
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
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    writer.add_tensor("output_norm.weight", ones(WIDTH))
    layer = {"attn_norm": ones(WIDTH), "ffn_norm": ones(WIDTH), "attn_q": zeros(WIDTH, WIDTH)}
    layer |= {"attn_k": zeros(HEAD, WIDTH), "attn_v": zeros(HEAD, WIDTH), "attn_output": zeros(WIDTH, WIDTH)}
    layer |= {"ffn_gate": zeros(INNER, WIDTH), "ffn_up": zeros(INNER, WIDTH), "ffn_down": zeros(WIDTH, INNER)}
    for name, tensor in layer.items():
        writer.add_tensor(f"blk.0.{name}.weight", tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_folder(folder):
    from safetensors.numpy import save_file

    os.makedirs(folder, exist_ok=True)

    def write(name, value):
        with open(os.path.join(folder, name), "w") as file:
            json.dump(value, file)

    tensors = {"model.embed_tokens": embedding, "lm_head": output, "model.norm": ones(WIDTH)}
    layer = {"input_layernorm": ones(WIDTH), "post_attention_layernorm": ones(WIDTH)}
    layer |= {"self_attn.q_proj": zeros(WIDTH, WIDTH), "self_attn.k_proj": zeros(HEAD, WIDTH)}
    layer |= {"self_attn.v_proj": zeros(HEAD, WIDTH), "self_attn.o_proj": zeros(WIDTH, WIDTH)}
    layer |= {"mlp.gate_proj": zeros(INNER, WIDTH), "mlp.up_proj": zeros(INNER, WIDTH)}
    layer |= {"mlp.down_proj": zeros(WIDTH, INNER)}
    tensors |= {f"model.layers.0.{name}": tensor for name, tensor in layer.items()}
    named = {f"{name}.weight": tensor for name, tensor in tensors.items()}
    save_file(named, os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})
    sizes = {"hidden_size": WIDTH, "intermediate_size": INNER, "head_dim": HEAD, "vocab_size": len(tokens)}
    sizes |= {"num_attention_heads": WIDTH // HEAD, "num_key_value_heads": 1, "num_hidden_layers": 1}
    sizes |= {"max_position_embeddings": CONTEXT, "rms_norm_eps": 1e-5}
    kind = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "dtype": "float32"}
    ends = {"bos_token_id": 1, "eos_token_id": END, "tie_word_embeddings": False}
    write("config.json", kind | sizes | ends)
    write("generation_config.json", {"bos_token_id": 1, "eos_token_id": END})
    added = [
        {"id": place[token], "content": token, "special": token in special}
        | {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
        for token in special + marks
    ]
    # Letter by letter; a letter that has no token is read as <unk>.
    tokenizer = {"version": "1.0", "truncation": None, "padding": None, "normalizer": None, "post_processor": None}
    tokenizer["added_tokens"] = added
    tokenizer["pre_tokenizer"] = {"type": "Split", "pattern": {"Regex": "[\\s\\S]"}, "behavior": "Isolated", "invert": False}
    tokenizer["decoder"] = {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]}
    tokenizer["model"] = {"type": "WordLevel", "vocab": place, "unk_token": "<unk>"}
    write("tokenizer.json", tokenizer)
    names = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    plain = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False}
    # `transformers serve` reads calls by it. It has nothing about thoughts, as with most models: they stay in the text.
    calls = {"open_pattern": r"\s*<tool_call>", "close": CALL_END, "repeats": True, "content": "json"}
    calls["transform"] = {"type": "function", "function": "{content}"}
    fields = {"tool_calls": calls, "content": {"close_pattern": r"\s*</s>", "content": "text"}}
    parts = {"defaults": {"role": "assistant"}, "start_anchor_pattern": r"\Z", "fields": fields}
    template = {"chat_template": TEMPLATE, "response_template": parts}
    write("tokenizer_config.json", plain | names | template | {"model_max_length": CONTEXT})


(write_gguf if isGguf else write_folder)(target)
