#!/usr/bin/env bash
# Builds the root file system of the image without pulling one: Debian's packages in place of the base image, then the
# steps of the second stage of packaging/Dockerfile. build-root.sh ROOT RELEASE NODE
set -euo pipefail
root=$1 release=$2 node=$3
# What Node and `#!/usr/bin/env node` need.
packages=(base-files libc6 libgcc-s1 gcc-12-base libstdc++6 coreutils libacl1 libattr1 libgmp10 libselinux1 libpcre2-8-0)
mkdir -p "$root" "$root.packages"
(cd "$root.packages" && chmod 777 . && apt-get download "${packages[@]}" >/dev/null)
for file in "$root.packages"/*.deb; do dpkg-deb --extract "$file" "$root"; done
rm -r "$root.packages"
mkdir -p "$root"/{dev,proc,tmp,etc,opt/attune,usr/local/bin}
touch "$root/etc/passwd" "$root/etc/group"
cp "$node" "$root/usr/local/bin/node"
cp -r "$release/." "$root/opt/attune"
sh "$root/opt/attune/packaging/prepare-image.sh" "$root"
