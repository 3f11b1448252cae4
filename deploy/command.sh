#!/bin/sh
# Runs an operator's command of the running release with the service's settings, as the site's user. Run as root:
# command.sh doctor · command.sh restore <backup> · command.sh admin help   (docs/operations.md)
set -eu

command=${1:?say which command: command.sh doctor}
shift
user=${PERRARIO_USER:-perrario}
cd "${PERRARIO_ROOT:-/opt/perrario}/current"

# As systemd reads an EnvironmentFile: a value may hold spaces and signs, in quotes or without them, and nothing of it is run.
while IFS= read -r line || [ -n "$line" ]; do
  case $line in [A-Za-z_]*=*) ;; *) continue ;; esac
  value=${line#*=}
  case $value in \"*\" | \'*\') value=${value#?} value=${value%?} ;; esac
  export "${line%%=*}=$value"
done <<SETTINGS
$(sed 's/[[:space:]]*$//' "${PERRARIO_ENV:-/etc/perrario.env}")
SETTINGS

exec runuser -u "$user" -- node_modules/node/bin/node "scripts/$command.ts" "$@"
