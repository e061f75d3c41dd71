#!/usr/bin/env bash
# Runs a command as a container would: its own mounts and processes, a read-only root, /data and /tmp to write to, another
# user, no privileges. in-container.sh ROOT DATA UID COMMAND [ARGUMENT ...]; run it by `unshare --mount --pid --fork`.
set -euo pipefail
root=$1 data=$2 uid=$3
shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs chroot --userspec "$uid:$uid" --groups= "$root" "$@"
