'use strict'

/**
 * What people type who know other tools, and what they are answered: the AWS CLI, rclone, s5cmd, mc, gsutil, azcopy. Loaded only
 * after a command line failed.
 *
 * The words stand at the beginning of a line: commands; options; `--option=`, an option whose value is no value of xfer's;
 * `jobs.word`, a word behind `xfer jobs`. Below them stand the answers, of which the first counts that fits the command: one of those
 * named before the colon, else any that has the options of the answer. `= command` is xfer's command that takes the same words.
 * test/cli/hints.test.js holds that each answer is right.
 */
const TABLE = `
copyto copyfile transfer
  = copy
mirror clone
  = sync
list ll dir lsd lsl lsf lsjson tree find
  = ls
remove delete del deletefile
  = rm
move moveto rename ren
  = mv
mkdir make make-bucket create-bucket
  = mb
size ncdu df
  = du
stat info show about head-object
  = head
share link sign signurl sign-url
  = presign
completions complete autocomplete
  = completion
purge undo
  Use xfer rm -r LOCATION, which deletes everything below a prefix.
rb rmdir
  Use aws s3 rb to remove a bucket, which xfer does not do.
pipe rcat tee
  Use xfer copy - DEST, which reads an object from standard input.
put get upload download
  Use xfer copy SRC DEST, where either may be a file.
check cryptcheck checksum diff compare cmp hashsum md5sum sha1sum
  Use xfer verify SRC DEST for two objects, or xfer verify -r SRC DEST for everything below two prefixes.
login logout config configure remote alias profile listremotes env
  Use aws configure: xfer reads the profiles of the AWS CLI, as in s3://PROFILE@bucket/key, and xfer doctor SRC DEST checks them.
ping ready test doc
  Use xfer doctor SRC DEST, which checks all that a copy needs.
bench benchmark speedtest od
  Use xfer copy --json SRC DEST, whose last line has the rate of the copy.
run batch
  Use a shell script, or xfer copy -r --files-from FILE SRC DEST for many names below one prefix.
mount nfsmount cmount
  Use rclone mount to see a store as files, which xfer does not do.
bisync
  Use rclone bisync for both ways: xfer sync SRC DEST changes only DEST.
copyurl
  Use xfer copy https://host/path DEST.
watch
  Repeat xfer sync, for example from cron, or use mc mirror, which can watch.
admin ilm tag retention legalhold replicate anonymous encrypt event quota bucket-version set-properties settier cors website
  Use aws s3api or mc for the settings of buckets and objects, which xfer does not change.
status progress ps
  Use xfer jobs, which lists unfinished copies.
continue retry restart
  Use xfer resume JOB: xfer jobs lists the jobs.
cancel stop kill
  Use xfer abort JOB, which removes the parts of an unfinished copy.
cleanup
  Use xfer clean DEST, which lists unfinished uploads.
undeploy uninstall
  Use xfer deploy --undeploy, which removes the function.
install setup init
  Use xfer deploy, which deploys the function that copies.
s3 s3api xfer
  Leave it out: the commands are xfer copy and xfer sync.
jobs.list jobs.ls jobs.show
  Use xfer jobs alone, which lists unfinished copies.
jobs.resume
  Use xfer resume JOB.
jobs.remove jobs.rm jobs.clean
  Use xfer abort JOB, which also removes the parts of the copy.

--profile --s3-profile
  Name the side: --source-profile NAME or --dest-profile NAME, or write its location as s3://NAME@bucket/key.
  Use --dest-profile NAME.
  Use --source-profile NAME, or write the location as s3://NAME@bucket/key.
--endpoint-url --endpoint --s3-endpoint --host
  Name the side: --source-endpoint-url URL or --dest-endpoint-url URL.
  Use --dest-endpoint-url URL.
  Use --source-endpoint-url URL.
--region --s3-region
  Name the side: --source-region REGION or --dest-region REGION.
  Use --dest-region REGION.
  Use --source-region REGION.
--no-sign-request --anonymous --s3-anonymous
  Use --source-no-sign-request, which reads the source without credentials.
--no-verify-ssl --insecure --no-check-certificate
  Certificates are always checked: --ca-bundle FILE trusts those of a private authority.
--access-key-id --secret-access-key --access-key --secret-key --session-token --s3-access-key-id --s3-secret-access-key --aws-access-key-id --aws-secret-access-key
  Keys are no options, because others could read them in the list of processes: use a profile, or set XFER_SOURCE_ACCESS_KEY_ID, XFER_SOURCE_SECRET_ACCESS_KEY and the same with XFER_DEST.
--account-key --sas-token --connection-string --account-name --storage-account --auth-mode --azureblob-account --azureblob-key --azureblob-sas-url --azureblob-connection-string --tenant-id --tenant --client-id --client-secret
  The account stands in the location, as in az://ACCOUNT/container/key, and secrets are no options: set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING, or run az login.
--config --config-file --conf --credentials-file --config-dir
  Leave it out: xfer reads the profiles of the AWS CLI, whose files AWS_CONFIG_FILE can name.

--transfers --checkers --multi-thread-streams --numworkers --workers --parallel --threads --max-concurrent-requests --upload-concurrency --s3-upload-concurrency --max-workers -j
  Use --concurrency N: the maximum number of invocations at a time, each of which copies a part.
-c
  Use --concurrency N for what -c is in s5cmd, or xfer sync --checksum for what it is in rclone.
--part-size -p --s3-chunk-size --block-size-mb --block-size --multipart-chunksize --chunk-size --multi-thread-chunk-size --multipart-chunk-size-mb
  Use --chunk SIZE: the size of a part, in MiB or with a unit such as 8M.
--disable-multipart --s3-upload-cutoff --s3-copy-cutoff --multi-thread-cutoff --put-blob-size-mb
  Use --chunk SIZE: what is not larger is copied in one request.
--bwlimit --limit-upload --limit-download --max-bandwidth --cap-mbps
  Use --bandwidth RATE, in bytes per second and not in bits, such as 10M.
--low-level-retries --retry-count --max-retries --retry
  Use --retries N.
--max-duration
  Use --timeout DURATION, such as 45m: what was copied by then can be resumed.

--only-show-errors --silent
  Use --quiet, which prints errors only.
--stats --stats-one-line --stat --show-progress -sp --summary
  Use --progress, or --json, whose progress events have the numbers.
--output -o --output-type --use-json-log
  Use --json, which prints one event on each line.
--log-file
  Redirect the output to a file, as in >FILE 2>&1: --verbose prints a line about each object, --json every event.
--log-level --log --output-level
  Use --verbose for a line about each object, --json for every event, or --debug for the stack traces of errors.
--no-color --color
  Leave it out: NO_COLOR=1 in the environment turns colours off.

--recurse --recursive -r -R
  sync: Leave it out: xfer sync always takes everything below the prefix.
  Use -r, or --recursive.
--version-id --source-version-id --vid
  sync: Copy each object of which you want a version by itself, with xfer copy SRC DEST --version-id ID.
  Use --version-id ID.
--rewind --s3-version-at --s3-versions --versions --all-versions --include-versions
  Use --version-id ID: one command takes one version of one object.
-n
  sync: Use --dry-run to see what would be done, or --no-clobber to leave objects alone that the destination has.
  clean: Leave it out: without --yes nothing is aborted.
  Use --dry-run to see what would be done, or --no-clobber to fail if the destination exists (with -r: to leave it alone).
--dry-run --dryrun --dry_run --just-print --fake
  clean: Leave it out: without --yes nothing is aborted.
  Use --dry-run, which prints what would be done.
--interactive -i --confirm
  Use --dry-run to see what would be done.
--update -u --if-source-newer --newer --exact-timestamps
  sync: Leave it out: xfer sync copies an object only if the destination lacks it, or has it with another size or older.
  copy: Use xfer sync, which copies an object only if the destination lacks it, or has it with another size or older.
--if-size-differ -s
  ls: Use xfer du, which adds up bytes and objects.
  copy: Use xfer sync --size-only, which copies objects that are missing or of another size.
  Use --size-only, which takes objects of equal size for equal.
--ignore-times -I --mirror-mode
  rm: Use xfer clean, which aborts unfinished uploads.
  copy: Leave it out: xfer copy -r copies everything, whatever the destination has.
  sync: Use xfer copy -r, which copies everything, whatever the destination has.
--incomplete
  rm: Use xfer clean, which aborts unfinished uploads.
--immutable --no-overwrite --skip-existing
  sync: Use --no-clobber, which leaves objects alone that the destination has.
  Use --no-clobber, which fails if the destination exists, and with -r leaves objects alone that it has.
--overwrite
  sync: Leave it out: objects that differ are replaced, unless you give --no-clobber.
  Leave it out: objects are replaced, unless you give --no-clobber, and xfer sync replaces only what differs.
--force -f --yes -y --no-confirm
  clean: Use --yes, which aborts the uploads that are listed.
  rm: Use --yes, which deletes without asking.
  copy sync resume verify abort deploy: Leave it out: xfer asks no questions.
--delete --delete-during --delete-after --delete-before --delete-destination --remove --delete-removed --del
  copy: Use xfer sync --delete, which deletes what the source does not have, after everything is copied.
  Use --delete, which deletes what the source does not have, after everything is copied.
--delete-excluded
  sync: Leave it out: what filters leave out is neither copied nor deleted.
--exclude-from --include-from --filter --filter-from
  Repeat --exclude PATTERN and --include PATTERN: the last one that matches a name decides.
--include-pattern --include-path --include-regex
  Use --exclude '*' --include PATTERN, to copy only what matches.
--exclude-pattern --exclude-path --exclude-regex
  Repeat --exclude with each pattern, which is a glob for the whole name: --exclude 'tmp/*' for a folder.
--files-from-raw --list-of-files --include-file
  Use --files-from FILE, with one name on each line.
--max-age --include-after
  Use --newer-than AGE, such as 7d: only objects that are not older.
--min-age --include-before
  Use --older-than AGE, such as 7d: only objects that are not newer.
--watch -w
  Leave it out: repeat xfer sync, for example from cron.
--skip-errors --ignore-errors
  copy sync: Leave it out: an object that fails stops no other, and nothing is deleted then.
--compare-hash
  Use --checksum, which compares checksums and ETags.
--flatten --as-subdir --create-empty-src-dirs
  copy sync: Leave it out: names stay as they are below the prefix.
--from-to
  Leave it out: the locations say it, as in s3://PROFILE@bucket/key and az://ACCOUNT/container/key.
--backup-dir --suffix
  copy sync: Leave it out: versions of the bucket keep what is replaced or deleted.
--force-glacier-transfer --ignore-glacier-warnings
  copy sync: Leave it out: archived objects must be restored before they can be copied.
--fast-list --no-traverse --no-check-dest --server-side-across-configs --s3-no-check-bucket --page-size --s3-provider --s3-env-auth --raw --expected-size
  copy sync: Leave it out: this is done by itself.

--acl --grants --s3-acl --canned-acl
  copy sync: Leave it out: no ACL is set, and the copy gets that of its bucket.
--s3-storage-class --access-tier --sc --block-blob-tier --azureblob-access-tier --gcs-storage-class
  Use --storage-class NAME.
--s3-server-side-encryption --server-side-encryption --enc-s3
  Use --sse AES256.
--s3-sse-kms-key-id --enc-kms
  Use --sse aws:kms --sse-kms-key-id ID.
--sse-c --sse-c-key --sse-c-copy-source --sse-c-copy-source-key --enc-c
  Use --source-sse-c-key-file FILE or --dest-sse-c-key-file FILE.
--attr --header-upload --metadata-mapper
  Use --metadata-set NAME=VALUE, or --header NAME=VALUE for a content header.
--cache-control --content-encoding --content-language --content-disposition
  Use --header NAME=VALUE, such as --header Cache-Control=max-age=60.
--expires
  Use --header Expires=DATE.
--metadata-directive
  Use --metadata copy or --metadata replace.
--tagging --tagging-directive --copy-props --blob-tags
  Use --tags copy or --tags none: no other tags are set.
--preserve -a -M --s2s-preserve-properties --s2s-preserve-blob-tags --s2s-preserve-access-tier --no-guess-mime-type
  copy sync: Leave it out: the copy gets the source's metadata, tags and storage class by itself.
  ls: Leave it out: xfer ls prints time, size and name, and with --json all that is listed.
--preserve-last-modified-time --preserve-times
  Use --mtime, which keeps the modification time in the metadata, as rclone does.
--put-md5 --check-md5 --md5 --check-length --checksum-algorithm
  Leave it out: every copy is proved, and --verify full also reads both sides again.
--verify --full
  verify: Use --read, which reads both objects and compares their bytes.
  Use --verify full, which reads both sides a second time.
--ignore-checksum --s3-disable-checksum
  Use --verify size, which compares only sizes, or --verify none.
--retention-mode --retention-duration --legal-hold
  copy sync: Leave it out: no object lock is set.
--metadata=
  Choose one of copy, replace: user metadata is set with --metadata-set NAME=VALUE.
--tags=
  Choose one of copy, none: xfer sets no other tags than those of the source.
--sse=
  Name the kind, as in --sse AES256, which is what the AWS CLI takes without one.

--human-readable --si
  Use --human, which prints sizes with a unit.
--summarize --total
  ls: Use xfer du, which adds up bytes and objects.
-l --long --all -e --etag
  ls: Leave it out: xfer ls prints time, size and name, and with --json all that is listed.
--max-depth --depth
  du ls: Leave it out: one level is taken, of which LOCATION is the beginning.
--expires-in --expire --expiry -d
  presign: Use --expires DURATION, such as 15m.
  du ls: Leave it out: one level is taken, of which LOCATION is the beginning.
--create-bucket-configuration --location -l -b
  mb: Use --region REGION.
`

/** @typedef {{ of: string[], text: string }} Answer of: the commands for which it is; none: those that have its options */

/** By word. @type {Map<string, Answer[]>} */
const ANSWERS = new Map()
/** @type {string[]} */
let words = []
for (const line of TABLE.split('\n').filter(Boolean)) {
  if (line.startsWith(' ')) {
    const [, of = '', text] = /** @type {RegExpExecArray} */ (/^ {2}(?:([a-z ]+): )?(.*)$/.exec(line))
    for (const word of words)
      ANSWERS.set(word, [...(ANSWERS.get(word) ?? []), { of: of.split(' ').filter(Boolean), text }])
  } else words = line.split(' ')
}

module.exports = { ANSWERS }
