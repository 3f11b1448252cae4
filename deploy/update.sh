#!/bin/sh
# Updates this machine's Perrario to another version: builds it beside the running one, makes a backup, switches, and rolls back
# when the new one does not answer. Run as root: update.sh <tag, branch or commit>   (docs/operations.md, «Updating»)
set -eu

version=${1:?say which version: update.sh v1.2.0}
root=${PERRARIO_ROOT:-/opt/perrario}
health=${PERRARIO_HEALTH:-http://127.0.0.1:4321/healthz}

say() { echo "perrario · $*"; }
# Waits up to a minute for a 200: migrations run before the port is open.
is_healthy() {
  for _ in $(seq 60); do
    curl -fsS -m 5 "$health" >/dev/null 2>&1 && return 0
    sleep 1
  done
  return 1
}

git -C "$root/repo" fetch -q --tags --prune
commit=$(git -C "$root/repo" rev-parse --verify -q "origin/$version^{commit}" || git -C "$root/repo" rev-parse --verify "$version^{commit}")
release="$root/releases/$commit"
before=$(readlink "$root/current" || true)
[ "$before" != "$release" ] || { say "ya está puesta $version"; exit 0; }

if [ ! -e "$release/.whole" ]; then
  say "construyendo $version"
  rm -rf "$release"
  # What fails half way leaves nothing: on a full disk its hundreds of megabytes would stop the site, too.
  trap 'rm -rf "$release"; say "no se pudo construir $version: sigue la de antes" >&2' EXIT
  trap 'exit 1' HUP INT TERM
  mkdir -p "$release"
  git -C "$root/repo" archive "$commit" | tar -x -C "$release"
  (cd "$release" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error)
  (cd "$release" && node -e "import('./scripts/lib/setup.mjs').then((setup) => setup.build())")
  touch "$release/.whole"
  trap - EXIT HUP INT TERM
fi

if [ -n "$before" ]; then
  say "copia de seguridad"
  sh "$(dirname "$0")/command.sh" backup
fi

ln -sfn "$release" "$root/current"
systemctl restart perrario.service
if is_healthy; then
  say "puesta $version"
  # This release and the previous one stay, for a rollback.
  for old in "$root"/releases/*; do
    [ "$old" = "$release" ] || [ "$old" = "$before" ] || rm -rf "$old"
  done
  exit 0
fi

say "la nueva no responde (journalctl -u perrario)"
[ -n "$before" ] || exit 1
ln -sfn "$before" "$root/current"
systemctl restart perrario.service
if is_healthy; then
  say "vuelve a estar la de antes"
else
  # An older version does not start on data that a newer one has migrated.
  say "la de antes tampoco: si la nueva migró los datos, restaura la copia recién hecha (docs/operations.md)"
fi
exit 1
