#!/bin/sh
# Restores a backup of backup.sh into a new, empty database, and its pictures into a folder.
#
#   DATABASE_URL=postgres://OWNER:PASSWORD@host/new_database ops/restore.sh commerce-TIME.dump [commerce-TIME.images.tar PICTURES]
#
# Privileges are restored too, so the serving role has to exist (SERVING_ROLE, commerce_serving by default). The script
# creates it if it is missing; then give it a password: psql -c '\password commerce_serving'. Afterwards (see
# docs/running.md):
#
#   DATABASE_URL=… MIGRATION_DATABASE_URL=… SECRET_KEY=… npm run admin -- migrate && npm run admin -- doctor
#
# Webhooks that were pending at the time of the backup are sent again. Receivers recognize them by their id.
set -eu
: "${DATABASE_URL:?is missing: the URL of the new database for the owner of the tables}"
dump=${1:?usage: restore.sh DUMP [IMAGES PICTURES]}
role=${SERVING_ROLE:-commerce_serving}
run() { psql --quiet --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@" "$DATABASE_URL"; }

if [ "$(run --command="select count(*) from pg_class where relnamespace = 'public'::regnamespace")" != 0 ]; then
  echo "The database is not empty. Restore into a new one: createdb NAME" >&2
  exit 1
fi
run --set=role="$role" <<'SQL'
select format('create role %I login', :'role') where not exists (select from pg_roles where rolname = :'role') \gexec
SQL
pg_restore --exit-on-error --no-owner --single-transaction --dbname="$DATABASE_URL" "$dump"
# The owner may not analyze the catalogs of the server, and a warning for each of them would hide one that matters.
run --command='set client_min_messages = error' --command=analyze

if [ $# -ge 3 ]; then
  mkdir -p "$3"
  tar --extract --file="$2" --directory="$3"
fi
