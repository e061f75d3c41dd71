#!/bin/sh
# Prepares a root file system that has Node in its path and a release in /opt/attune; the first argument is where it is (/).
set -eu
root=${1:-}
ln -sf /opt/attune/bin/attune.mjs "$root/usr/local/bin/attune"
mkdir -p "$root/etc/attune" "$root/data"
echo '# Mount an attune.yaml in the place of this one.' >"$root/etc/attune/attune.yaml"
chown 10001:10001 "$root/data"
grep -q '^attune:' "$root/etc/passwd" || echo 'attune:x:10001:10001::/data:/usr/sbin/nologin' >>"$root/etc/passwd"
grep -q '^attune:' "$root/etc/group" || echo 'attune:x:10001:' >>"$root/etc/group"
