'use strict'

/** What the copy is given beside its bytes: options with the names that the AWS CLI has for them, where it has any. */

/** @type {Array<[flags: string, description: string, fallback?: string]>} */
const OPTIONS = [
  [
    '--metadata <how>',
    "copy: the source's content headers and user metadata, but for what is set here; replace: only what is set here",
    'copy',
  ],
  ['--content-type <type>', "set this header instead of the source's, such as text/csv"],
  ['--cache-control <text>', 'likewise, such as max-age=60'],
  ['--content-encoding <text>', 'likewise, such as gzip'],
  ['--content-language <text>', 'likewise, such as de'],
  ['--content-disposition <text>', 'likewise, such as attachment; filename="a.csv"'],
  ['--expires <date>', 'likewise: 2027-01-31, or a date with time'],
  ['--tags <how>', "copy: the source's tags; none: no tags", 'copy'],
  ['--storage-class <name>', "copy: the source's, where the destination has it; or the name of one", 'copy'],
  ['--sse <kind>', 'encrypt with AES256, aws:kms or aws:kms:dsse (default: as the bucket does by itself)'],
  ['--sse-kms-key-id <id>', "the key of --sse aws:kms and aws:kms:dsse (default: the store's own)"],
  ['--mtime', 'keep the modification time in x-amz-meta-mtime, as rclone does'],
]

/** @param {import('commander').Command} command @returns {import('commander').Command} the same */
function addAttributeOptions(command) {
  for (const [flags, description, fallback] of OPTIONS) command.option(flags, description, fallback)
  return command.option('--metadata-set <name=value>', 'set an entry of user metadata; may be repeated', collect)
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
