#!/bin/sh
# Installs the binaries with which pictures are decoded, after `npm ci --omit=optional`, which leaves them out together
# with the embedded database, GraphiQL and the S3 client: npm cannot omit only some optional packages.
set -eu
packages=$(node --input-type=module --eval '
  import { readFileSync } from "node:fs";
  const { optionalDependencies } = JSON.parse(readFileSync("node_modules/sharp/package.json", "utf8"));
  const isMusl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  const platform = `${process.platform}${isMusl ? "musl" : ""}-${process.arch}`;
  const names = Object.keys(optionalDependencies).filter((name) => name.endsWith(`-${platform}`));
  console.log(names.map((name) => `${name}@${optionalDependencies[name]}`).join(" "));
')
[ -n "$packages" ] || { echo "sharp has no binaries for this machine" >&2; exit 1; }
# shellcheck disable=SC2086
npm install --no-save --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund $packages
