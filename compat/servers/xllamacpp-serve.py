"""Serves a model of llama.cpp by xllamacpp: `xllamacpp-serve.py MODEL PORT`."""

import sys
import time

import xllamacpp

model, port = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {"tiny"}
params.hostnames = ["127.0.0.1"]
params.port = int(port)
params.n_ctx = 6144
params.n_parallel = 3
params.sampling.temp = 0
params.use_jinja = True
params.endpoint_slots = True
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
while True:
    time.sleep(3600)
