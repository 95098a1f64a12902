'use strict'

/** What the copy is given beside its bytes: options with the names that the AWS CLI has for them, where it has any. */

/** @type {Array<[flags: string, description: string, fallback?: string]>} */
const OPTIONS = [
  [
    '--metadata <how>',
    "copy: the source's content headers and user metadata; replace: only what is given here",
    'copy',
  ],
  ['--content-type <type>', "over the source's, as the five that follow"],
  ['--cache-control <text>', 'how long and by whom it may be cached'],
  ['--content-encoding <text>', 'such as gzip'],
  ['--content-language <text>', 'such as de'],
  ['--content-disposition <text>', 'such as attachment; filename="a.csv"'],
  ['--expires <date>', 'when a cached copy is stale: 2027-01-31, or a date with time'],
  ['--tags <how>', "copy: the source's; none", 'copy'],
  ['--storage-class <name>', "copy: the source's, where the destination has it; or a name", 'copy'],
  ['--sse <kind>', "AES256, aws:kms or aws:kms:dsse (default: the bucket's own)"],
  ['--sse-kms-key-id <id>', "the key of --sse aws:kms (default: the store's own)"],
  ['--mtime', 'keep the modification time, in x-amz-meta-mtime, as rclone does'],
]

/** @param {import('commander').Command} command @returns {import('commander').Command} the same */
function addAttributeOptions(command) {
  for (const [flags, description, fallback] of OPTIONS) command.option(flags, description, fallback)
  return command.option('--metadata-set <name=value>', 'an entry of user metadata; may be repeated', collect)
}

/** @param {string} value @param {string[]} [earlier] */
function collect(value, earlier = []) {
  return [...earlier, value]
}

/** @param {any} flags as commander read them @returns {import('../../lib/types').AttributeOptions} */
function attributeOptionsOf(flags) {
  const { metadata, contentType, cacheControl, contentEncoding, contentLanguage, contentDisposition, expires } = flags
  const { metadataSet, tags, storageClass, sse, sseKmsKeyId, mtime } = flags
  return {
    ...{ metadata, contentType, cacheControl, contentEncoding, contentLanguage, contentDisposition, expires },
    ...{ metadataSet, tags, storageClass, sse, sseKmsKeyId, mtime },
  }
}

module.exports = { addAttributeOptions, attributeOptionsOf }
