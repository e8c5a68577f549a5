#!/bin/sh
# Backs up a running service: its database, and its pictures if they are in a folder.
#
#   DATABASE_URL=postgres://OWNER:PASSWORD@host/database ops/backup.sh FOLDER [PICTURES]
#
# Writes FOLDER/commerce-TIME.dump (pg_dump sees one moment, and blocks no writer) and FOLDER/commerce-TIME.images.tar.
# Pictures are copied after the database. Those uploaded meanwhile have no row in the dump, and the service removes them
# later. Those that it removes meanwhile have a row in the dump and no file: nothing has used them for 30 days, and after a
# restore it removes their rows too, or writes their files again if they are uploaded again. pg_dump must be at least as
# new as the server. Keep SECRET_KEY elsewhere: without it the client secrets in the dump cannot be decrypted.
set -eu
: "${DATABASE_URL:?is missing: the URL of the owner of the tables. npm run -s admin -- db url --raw prints it, if MIGRATION_DATABASE_URL is set}"
# shellcheck source=ops/password.sh
. "$(dirname "$0")/password.sh"
folder=${1:?usage: backup.sh FOLDER [PICTURES]}
pictures=${2:-}
base="$folder/commerce-$(date -u +%Y%m%dT%H%M%SZ)"
umask 077
mkdir -p "$folder"

pg_dump --format=custom --file="$base.dump.part" "$url"
pg_restore --list "$base.dump.part" > /dev/null
mv "$base.dump.part" "$base.dump"
echo "$base.dump"

if [ -z "$pictures" ]; then
  count=$(psql --no-psqlrc --tuples-only --no-align --command='select count(*) from image' "$url")
  if [ "$count" != 0 ]; then
    echo "This backup does not contain the files of $count pictures. Name their folder as the second argument (STORAGE_URL," >&2
    echo "by default DATA_DIR/images): ops/backup.sh $folder PICTURES. For a bucket use the backup of its provider." >&2
  fi
else
  # Exit code 1: a file was changed or removed while tar read it. owner.json names the database that uses the folder: the
  # restored one is another, and becomes the owner of the folder into which the pictures are restored.
  tar --create --file="$base.images.tar.part" --directory="$pictures" --exclude=.unfinished --exclude=./owner.json . || [ $? -eq 1 ]
  mv "$base.images.tar.part" "$base.images.tar"
  echo "$base.images.tar"
fi
