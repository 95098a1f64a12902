'use strict'

/** Every notice: its code, and its sentence made from facts. Nothing ever reads a sentence. */

/** @typedef {Record<string, any>} Facts */

const MiB = 1024 ** 2

/** @param {number} bytes */
function mib(bytes) {
  return `${count(Number((bytes / MiB).toFixed(2)))} MiB`
}

/** @param {number} number */
function count(number) {
  return number.toLocaleString('en-US')
}

/** @param {string[]} names */
function list(names) {
  return [names].flat().join(', ')
}

/** @param {string} sentence @returns {string} what another one may go on with */
function withoutStop(sentence) {
  return sentence.replace(/\.$/, '')
}

/** How the plan is another than what was asked for. @type {Record<string, (f: Facts) => string>} */
const PLAN = {
  CHUNK_RAISED_TO_MINIMUM: f => `The chunk was raised to ${mib(f.partBytes)}, the least that the destination takes.`,
  CHUNK_LOWERED_TO_MAXIMUM: f => `The chunk was lowered to ${mib(f.partBytes)}, the most that the destination takes.`,
  CHUNK_RAISED_FOR_PART_COUNT: f =>
    `The chunk was raised to ${mib(f.partBytes)}: the object would have needed ${count(f.parts)} parts, and the destination takes ${count(f.maxParts)}.`,
  CHUNK_NOT_MATCHED: () =>
    'The source was uploaded in one piece, or its store does not tell the size of its parts: it is copied in parts of the usual size.',
  CHUNK_NOT_CHANGED: () => 'The parts keep the size with which the copy was begun; --restart begins it anew.',
  SOURCE_PARTS_UNEVEN: f =>
    `The source has ${count(f.parts)} parts of different sizes: the copy will have another ETag.`,
  ETAG_NOT_MATCHED: () =>
    "The copy's ETag is another one than the source's: the size of the first part did not prove that all have it, or the ETags are no MD5s.",
  CONCURRENCY_LIMITED: f => {
    const quota = f.perMinute === undefined ? '' : ` and ${count(f.perMinute)} a minute`
    return `The ${f.engine} engine allows ${f.concurrent} invocations at once${quota}.`
  },
  ENGINE_LIMITS_IGNORED: f => `--engine-limits speaks of a platform: the ${f.engine} engine does not heed it.`,
}

/** What a copy has otherwise than its source beside its bytes. @type {Record<string, (f: Facts) => string>} */
const ATTRIBUTES = {
  ENCRYPTION_KEY_NOT_COPIED: f =>
    `${f.location} is encrypted with the KMS key${f.keyId ? ` ${f.keyId}` : ''}, and the copy is not: it is encrypted as its bucket does by itself, unless --sse and --sse-kms-key-id say otherwise.`,
  ATTRIBUTES_NOT_COPIED: f => `The copy of ${f.location} is without ${list(f.names)}.`,
  ATTRIBUTES_NOT_LOOKED_AT: () =>
    'What the store copies is not looked at first: website redirect locations and object locks are not copied, and not told of.',
  TAGS_NOT_READ: f =>
    `The tags of ${f.location}, if it has any, are not copied, for ${f.reason}; --tags none copies none.`,
  TAGS_NOT_WRITTEN: f => {
    const tags = (f.names?.length ?? f.all) === 1 ? 'tag' : 'tags'
    const which = f.names === undefined ? `${f.all} ${tags}` : `${tags} ${list(f.names)}`
    return `${f.location} is written without the ${which} of its source, for ${f.reason}; --tags none copies none.`
  },
  ATTRIBUTES_NOT_KEPT: f => `${f.location} is without ${list(f.names)}, for its store did not keep that.`,
  HEADER_CHANGED: f => `${f.location} has the ${f.name} ${f.found}, for its store did not keep ${f.sent}.`,
  USER_METADATA_CHANGED: f => `${f.location} has another ${list(f.names)} than it was given by its source.`,
  CONTENT_ENCODING_CHANGED: f =>
    `${f.location} has the content-encoding ${f.found} instead of ${f.sent}, for its store keeps how the upload was framed: programs that go by it cannot decode the object.`,
  STORAGE_CLASS_CHANGED: f => `${f.location} has the storage class ${f.found}, for its store did not heed ${f.sent}.`,
  STORAGE_CLASS_UNKNOWN: f =>
    `${f.location} is written in its store's usual storage class, for it has no ${f.storageClass} (${f.answer}).`,
  ENCRYPTION_CHANGED: f => {
    const found = f.found === undefined ? 'by nothing that its store tells of' : `with ${f.found}`
    return `${f.location} is encrypted ${found}, for its store did not heed --sse ${f.sent}.`
  },
  ATTRIBUTES_MISSING_TOTAL: f => `In all ${count(f.objects)} objects are ${lacking(f.kind)}, for the reasons above.`,
  STORAGE_CLASS_TOTAL: f =>
    `In all ${count(f.objects)} objects are written in their store's usual storage class, for the reasons above.`,
}

/** @param {string} kind of attribute, as lib/object/attributes/compare.js names it; `some tags` @returns {string} the end of a sentence */
function lacking(kind) {
  if (kind === 'tags') return 'written without their tags'
  if (kind === 'some tags') return 'written without some of their tags'
  if (kind === 'framing') return 'left with the framing of their upload in their content-encoding'
  if (kind.startsWith('class ')) return `not in the storage class ${kind.slice('class '.length)}`
  if (kind.startsWith('encryption ')) return `not encrypted with ${kind.slice('encryption '.length)}`
  return `without their own ${kind}`
}

/** What is read once more to prove a copy, and what that found. @type {Record<string, (f: Facts) => string>} */
const PROOF = {
  READING_SOURCE: () => 'Reading the source.',
  READING_SOURCE_AGAIN: () => 'Reading the source a second time.',
  READING_BACK: f =>
    f.bytes === undefined
      ? 'Reading the copy back.'
      : `Reading ${count(f.bytes)} bytes of the copy back, for nothing else proves them.`,
  READ_BACK_NEEDED: f =>
    f.bytes === undefined
      ? 'The destination proves nothing of what it stores: each object is read back.'
      : `The destination proves nothing of what it stores, so ${count(f.bytes)} bytes will be read back.`,
  SOURCE_ETAG_DIFFERS: () =>
    "What was read, twice alike, does not give the source's ETag: either its store's ETags are no MD5s, or what it keeps is damaged.",
}

/** What becomes of a write, and of uploads. @type {Record<string, (f: Facts) => string>} */
const WRITES = {
  CONDITIONS_NOT_SUPPORTED: f =>
    f.each
      ? 'The destination takes no conditions: each object is looked at just before it is written instead.'
      : 'The destination takes no conditions: it was looked at once more instead.',
  SERVER_COPY_REFUSED: f =>
    f.engine === undefined
      ? `${f.reason} So what it does not copy goes through the engine.`
      : `${f.reason} So the bytes go through the ${f.engine} engine.`,
  UPLOAD_VANISHED: () => 'The upload that was begun is gone: the copy starts afresh.',
  UPLOAD_NOT_PROVABLE: () =>
    'The copy was begun with --verify none or size, and nothing of it can be proved: it starts afresh.',
  UPLOAD_CHECKSUMS_NOT_CHECKED: () =>
    'The copy was begun with checksums, which the destination is not known to check: it starts afresh, without them.',
  UPLOAD_REPEATED: f => `${withoutStop(f.reason)}: it is copied again, under a new upload.`,
  EARLIER_UPLOAD_WRONG: f => `An earlier upload of this copy came out wrong at ${f.location}; ${f.now}.`,
  UPLOAD_NOT_ABORTED: f =>
    `${f.uploadId === undefined ? 'An upload' : `The upload ${f.uploadId}`} of ${f.location} is left there, for it may not be aborted.`,
  PROBE_NOT_ABORTED: f =>
    `The upload ${f.uploadId} of a few bytes, with which it was tried whether the destination checks checksums, could not be aborted (${withoutStop(f.reason)}); abort it with xfer clean.`,
  LOST_UPLOAD_FOUND: f =>
    `The answer to the beginning of an upload of ${f.location} was lost, and it may be the upload ${f.uploadId}, which has no part and is left there: nothing tells it from somebody else's.`,
  LOST_UPLOAD_NOT_LISTED: f =>
    `The answer to the beginning of an upload of ${f.location} was lost: one without a part may be left there, for its uploads may not be listed.`,
}

/** The job and its journal. @type {Record<string, (f: Facts) => string>} */
const JOB = {
  JOURNAL_NOT_KEPT: f =>
    `${f.path === undefined ? 'No journal can be kept' : `The journal ${f.path} cannot be kept`} (${f.reason}): this copy may not be resumable.`,
  JOURNAL_NOT_READ: f => f.reason,
  JOURNAL_FROM_ELSEWHERE: f =>
    `The journal is from elsewhere, of a copy from ${f.source} to ${f.destination}.${f.left === '' ? '' : ` It goes on without ${f.left}: repeat what is meant of these options.`}`,
  JOB_CHOICE_CHANGED: f =>
    `The job ${f.job} of the same prefixes, which is not finished, chose otherwise: it goes on as this one.`,
  JOB_RESUMED: f =>
    `Going on with ${f.job}: ${count(f.objects)} ${f.objects === 1 ? 'object was' : 'objects were'} copied by earlier runs.`,
  SOURCE_REPLACED: () =>
    'The source was replaced since the copy was begun: it is copied anew, and nothing of the old one is used.',
}

/** What is below a prefix, and what is not. @type {Record<string, (f: Facts) => string>} */
const PREFIX = {
  NO_NAMES: f => `${f.filesFrom === '-' ? 'Standard input' : f.filesFrom} names no object.`,
  NOTHING_FOUND: f => `There is nothing below ${f.location}${f.instead === undefined ? '' : `, but ${f.instead}`}.`,
  DESTINATION_NOT_LISTED: f =>
    `${f.location} may not be listed, so some of what an earlier run has copied is copied again.`,
  FAILURES_NOT_WRITTEN: f => `The file ${f.path} cannot be written (${f.reason}): names of what failed are missing.`,
  NOTHING_DELETED: () => 'Nothing was deleted, for not all was copied.',
  UNLISTED_OBJECT_KEPT: f =>
    `The source has ${f.location}, which it does not list: it is neither copied nor deleted (--files-from copies it).`,
  UNWRITABLE_KEYS_KEPT: () =>
    'The destination lists keys with characters that it cannot write in a list: these objects are neither compared nor deleted.',
  FOLDED_NAME_KEPT: f => `${f.location} is left, for the destination takes its name for one that the source has.`,
}

/** @type {Record<string, (f: Facts) => string>} */
const TABLE = { ...PLAN, ...ATTRIBUTES, ...PROOF, ...WRITES, ...JOB, ...PREFIX }

module.exports = { TABLE }
