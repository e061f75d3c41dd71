"""A model behind LitServe: it says what the last letter of its prompt asks for, as the one of tiny-model.py does.

Usage: python litserve-api.py PORT
"""

import sys
import time

import litserve

LETTERS = "abcdfgklmnopquvwxyz"
ASKED = 9


class Tiny(litserve.LitAPI):
    def setup(self, device):
        pass

    def decode_request(self, request):
        return request

    def predict(self, request):
        content = request.messages[-1].content or ""
        parts = [] if isinstance(content, str) else content
        prompt = content if isinstance(content, str) else "".join(part.text for part in parts if part.type == "text")
        limit = request.max_completion_tokens or request.max_tokens or 1500
        yield from self.speak(prompt, [part for part in parts if part.type == "image_url"], request, limit)

    def speak(self, prompt, pictures, request, limit):
        said = 0
        if prompt.endswith("^") and request.tools:
            name = request.tools[0].function.name
            call = {"id": "call_1", "function": {"name": name, "arguments": '{"ok": true}'}}
            yield {"content": "", "tool_calls": [call], "tokens": 5}
            return
        if prompt.endswith("~"):
            stops = [request.stop] if isinstance(request.stop, str) else request.stop or []
            while said < limit and LETTERS[said % len(LETTERS)] not in stops:
                yield {"content": LETTERS[said % len(LETTERS)], "tokens": 1}
                said += 1
                time.sleep(0.002)
            return
        if request.response_format and request.response_format.type == "json_schema":
            yield {"content": '{"ok": true}', "tokens": 1}
            return
        if prompt.endswith("|") and not pictures:
            yield {"content": "I see nothing.", "tokens": 3}
            return
        if prompt.endswith("%"):
            yield {"content": "<think>Hm.</think>", "tokens": 3}
        if prompt.endswith("="):
            yield {"content": "<", "tokens": 1}
            return
        yield {"content": "Hi there!", "tokens": 2}

    def encode_response(self, outputs, context):
        # It sums the counts of all pieces where an answer is whole, and takes those of the last one of a stream.
        said = 0
        last = None
        for output in outputs:
            if last is not None:
                yield {"role": "assistant", **last}
            said += output.pop("tokens")
            last = output
        counts = {"prompt_tokens": ASKED, "completion_tokens": said, "total_tokens": ASKED + said}
        yield {"role": "assistant", **last, **counts}


if __name__ == "__main__":
    server = litserve.LitServer(Tiny(spec=litserve.OpenAISpec()), accelerator="cpu", timeout=60)
    server.run(host="127.0.0.1", port=int(sys.argv[1]), generate_client_file=False, log_level="warning")
