#!/usr/bin/env bash
# Makes docker.io/library/node:24-slim out of Debian's and npm's packages, for machines that cannot pull it.
# In buildah's own store, or in the one that follows as --root and --runroot. Takes about 40 s; as root.
set -euo pipefail

name=docker.io/library/node:24-slim
store=("$@")
in_store() { buildah "${store[@]}" "$@"; }

work=$(mktemp -d)
container=
finish() {
  [ -z "$container" ] || in_store rm "$container" >/dev/null
  rm -rf "$work"
}
trap finish EXIT

# The same release, and like there nothing but what is essential: node needs no more.
debootstrap --variant=minbase bookworm "$work/root" http://deb.debian.org/debian >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
rm -rf "$work/root/var/lib/apt/lists/"* "$work/root/usr/share/doc" "$work/root/usr/share/man"

case $(uname -m) in
  x86_64) architecture=x64 ;;
  aarch64) architecture=arm64 ;;
  *) echo "no Node for $(uname -m) among npm's packages" >&2; exit 1 ;;
esac
npm install --silent --no-save --ignore-scripts --prefix "$work/packages" "node-linux-$architecture@24" npm@11
local=$work/root/usr/local
install -D -t "$local/bin" "$work/packages/node_modules/node-linux-$architecture/bin/node"
mkdir -p "$local/lib/node_modules"
mv "$work/packages/node_modules/npm" "$local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$local/bin/npx"
chroot "$work/root" groupadd --gid 1000 node
chroot "$work/root" useradd --uid 1000 --gid node --shell /bin/bash --create-home node

# The official image has an entry point of its own, which an image built on it must not inherit by accident.
printf '#!/bin/sh\nexec "$@"\n' >"$local/bin/docker-entrypoint.sh"
chmod 755 "$local/bin/docker-entrypoint.sh"

container=$(in_store from scratch)
in_store add --quiet "$container" "$work/root" / >/dev/null
in_store config --entrypoint '["docker-entrypoint.sh"]' --cmd node \
  --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  --env "NODE_VERSION=$("$local/bin/node" -p process.versions.node)" "$container"
in_store commit --quiet --format docker "$container" "$name" >/dev/null
echo "$name: Debian $(cat "$work/root/etc/debian_version"), Node $("$local/bin/node" --version)"
