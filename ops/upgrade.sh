#!/bin/sh
# Upgrades running nodes to the version in the current folder, one after the other, while the others serve requests.
#
#   cd /opt/commerce-2 && npm ci --omit=dev && ln -sfn /opt/commerce-2 /opt/commerce && cd /opt/commerce
#   DATABASE_URL=… MIGRATION_DATABASE_URL=… SECRET_KEY=… ops/upgrade.sh \
#     commerce@api-1=http://127.0.0.1:4001 commerce@api-2=http://127.0.0.1:4002 commerce@worker-1=http://127.0.0.1:4011
#
# Name all units of this machine, workers too: each has the PORT of its file in /etc/commerce. Then repeat it on the other
# machines, where nodes of the former version work until then.
#
# Nothing is released yet: if migrations/meta/_journal.json differs between the two versions, the new one refuses the
# database, and there is no upgrade (docs/running.md, Upgrades).
#
# The units run what /opt/commerce links to. Each version has a folder of its own, since running nodes still read files of
# theirs, such as the decoder of pictures. The three variables are those of the nodes (CROSS_MERCHANT_DATABASE_URL and
# NODE_EXTRA_CA_CERTS too, if they have them). First it migrates the database: from the first release on migrations only add
# to the tables, and a former version works with later functions, so its nodes still work; writes wait for a few seconds at
# most. Then it restarts each node (RESTART, systemctl restart by default; a stop completes open requests) and waits until it
# is ready before the next one. If a node is not ready within a minute, the upgrade ends, and the others still run the former
# version. If they are restarted now, they run the new one too, since the link leads to it.
#
# To go back, do the same with the folder of the former version. The tables and functions of the newer one stay:
#
#   ln -sfn /opt/commerce-1 /opt/commerce && cd /opt/commerce && DATABASE_URL=… … ops/upgrade.sh …
set -eu
[ $# -ge 1 ] || { echo "usage: upgrade.sh UNIT=URL ..." >&2; exit 2; }
restart=${RESTART:-systemctl restart}

if [ "$restart" = 'systemctl restart' ]; then
  for node in "$@"; do
    folder=$(systemctl show --property=WorkingDirectory --value "${node%%=*}")
    [ . -ef "$folder" ] && continue
    echo "${node%%=*} runs in $folder, which is not this folder: see the top of ops/upgrade.sh" >&2
    exit 1
  done
  installed=$(systemctl show --property=FragmentPath --value "${1%%=*}")
  if ! cmp -s ops/systemd/commerce@.service "$installed"; then
    echo "$installed is not the unit of this version. To install it (alerts in ops/prometheus may have changed too):" >&2
    echo "  cp ops/systemd/commerce@.service $installed && systemctl daemon-reload, then restart the units again" >&2
  fi
fi

node src/cli/admin.ts migrate
for node in "$@"; do
  unit=${node%%=*}
  url=${node#*=}
  $restart "$unit"
  tries=0
  until curl --silent --fail --max-time 3 --output /dev/null "$url/readyz"; do
    tries=$((tries + 1))
    if [ "$tries" -ge 60 ]; then
      echo "$unit is not ready at $url: see journalctl -u $unit, and npm run admin -- doctor" >&2
      echo "To go back to the former version see the top of ops/upgrade.sh" >&2
      exit 1
    fi
    sleep 1
  done
  echo "$unit is ready"
done
