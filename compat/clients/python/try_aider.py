import os
import subprocess
import sys

from steps import KEY, TEXT, URL, run

PROGRAM = os.path.join(os.path.dirname(sys.executable), "aider")
OPTIONS = ["--no-git", "--yes-always", "--no-check-update", "--no-show-model-warnings", "--no-pretty"]
ENV = {
    "PATH": os.environ["PATH"],
    "HOME": os.getcwd(),
    "OPENAI_API_BASE": f"{URL}/v1",
    "OPENAI_API_KEY": KEY,
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}


def ask(*options):
    def act(model):
        command = [PROGRAM, "--model", f"openai/{model}", *OPTIONS, *options, "--message", "Hello"]
        # At 429 it asks again for a minute. Its status is 0 after errors too.
        printed = subprocess.run(command, env=ENV, capture_output=True, text=True, timeout=120).stdout
        if TEXT not in printed:
            raise RuntimeError(printed[-600:])
        return printed, None

    return act


run({"chat": ask("--no-stream"), "chat stream": ask("--stream")})
