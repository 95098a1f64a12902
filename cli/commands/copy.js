'use strict'

const { copyEither } = require('../copying')
const { suchAs } = require('../help-texts')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'copy an object, or everything below a prefix',
  description:
    'Copies an object, or with -r everything below a prefix, from one store to another. The bytes do not pass through this machine, unless it is the engine.',
  places: [
    ['<SRC>', `${suchAs()}; with -r a prefix; - for standard input`],
    ['<DEST>', 'the same; - for standard output'],
  ],
  help: `
Examples:
  xfer copy s3://src/big s3://dest/big
  xfer copy s3://old@photos/raid.tar s3://new@backup/    two profiles, same name
  xfer copy s3://data/x s3://data/y                      one store: it copies
  xfer copy s3://data/x s3://data/y --route engine --engine local
  xfer copy s3://open-data/set.zip s3://mine/ --source-no-sign-request
  xfer copy s3://a/x s3://b/x --dest-endpoint-url https://minio.example:9000
  xfer copy s3://a/x az://account/container/             to Azure
  xfer copy s3://a/x s3://b/x --if-match 9b2cf535f27731c974343645a3985328
  xfer copy s3://a/x s3://b/x --chunk match --verify full
  xfer copy s3://a/x s3://b/x --bandwidth 20M
  xfer copy s3://a/x s3://b/x --chunk auto --dry-run
  xfer copy s3://a/x s3://b/x --storage-class STANDARD_IA --metadata-set team=a
  xfer copy s3://a/x s3://b/x --json | tail -n 1         the last event
  pg_dump db | xfer copy - s3://b/db.dump                from standard input
  xfer copy s3://a/site.tar - | tar -x                   to standard output
  xfer copy -r s3://a/photos/ s3://b/photos/             all below a prefix
  xfer copy -r s3://a s3://b --exclude '*' --include '*.jpg' --newer-than 7d
  xfer copy -r s3://data/x/ s3://data/y/ --route server

SRC and DEST are {forms}. The key is used as written. If DEST has no key, or its key ends in /, the last segment of the source's key is added. With -r both are prefixes: a slash is added if there is none, and a bucket or container alone is allowed.

{configured}.

The copy gets the source's content headers, user metadata, tags and storage
class, unless options override them. Customer keys (SSE-C) come from
XFER_SOURCE_SSE_C_KEY and XFER_DEST_SSE_C_KEY (base64) or from files. xfer gives
them to no function, so the engine is then this machine.

A copy that is interrupted or killed, or that fails, keeps its parts. The same
command, or xfer resume, continues it.

Exit status: 0 copied and verified, 1 failed, 2 usage, 3 not found, 4 access,
5 engine, 6 source changed, 7 destination exists, 8 integrity, 124 out of time
(--timeout), 130 interrupted.`,
  action: process => (source, destination, flags) =>
    copyEither(process, { source, destination, flags, recursive: flags.recursive && 'copy' }),
}
