'use strict'

/** The table of notices: each code with a function that makes its sentence from facts. Code never reads a sentence. */

/** @typedef {Record<string, any>} NoticeFacts */

const MiB = 1024 ** 2

/** @param {number} number */
function count(number) {
  return number.toLocaleString('en-US')
}

/** @param {string[]} names */
function list(names) {
  return [names].flat().join(', ')
}

/** @param {string} sentence @returns {string} without its full stop, so that more text can follow */
function withoutStop(sentence) {
  return sentence.replace(/\.$/, '')
}

/** @param {NoticeFacts} facts unknown: what a server calls itself of which nothing is known */
function ofUnknown({ unknown }) {
  if (unknown === undefined) return ''
  const name = unknown === '' ? 'Its server' : `Its server (${unknown})`
  return ` ${name} is not known: xfer doctor --deep asks it what it checks, and copies go by that then.`
}

/** Why the parts do not have the size that was asked for. @type {Record<string, string>} */
const CHUNK_OTHERWISE = {
  begun: 'The parts keep the size that the copy was started with; to change it, start over with --restart.',
  unknown:
    'The source was uploaded in one piece, or its store does not report the size of its parts: the copy uses the usual part size.',
  unequal:
    "The copy's ETag differs from the source's: either not all parts of the source have the size of the first one, or the ETags are not MD5s.",
}

/** The plan differs from what was asked for. @type {Record<string, (f: NoticeFacts) => string>} */
const PLAN = {
  CHUNK_CHANGED: f => {
    if (f.why !== undefined) return CHUNK_OTHERWISE[f.why] ?? CHUNK_OTHERWISE.begun
    if (f.uneven)
      return `The source has ${count(f.parts)} parts of different sizes: the copy will have a different ETag.`
    const size = `The chunk was ${f.bound === 'largest' ? 'lowered' : 'raised'} to ${count(Number((f.partBytes / MiB).toFixed(2)))} MiB`
    return f.bound
      ? `${size}, the ${f.bound} part size that the destination accepts.`
      : `${size}: the object would have needed ${count(f.parts)} parts, and the destination accepts ${count(f.maxParts)}.`
  },
  STREAM_LIMIT: f =>
    `How much comes is not known: at most ${f.most < 1024 * MiB ? `${Math.floor(f.most / MiB)} MiB` : `${count(Math.floor(f.most / MiB / 1024))} GiB`} fit into ${count(f.maxParts)} parts${f.equal ? ', which the destination wants to be of one size' : ''}. --size allows more.`,
  CONCURRENCY_LIMITED: f => {
    const quota = f.perMinute === undefined ? '' : ` and ${count(f.perMinute)} a minute`
    return `The ${f.engine} engine allows ${f.concurrent} invocations at once${quota}.`
  },
  ENGINE_NOT_READY: f => `A copy would fail now. ${f.message} ${withoutStop(f.hint)}.`,
}

/** Attributes of the copy that differ from those of its source. @type {Record<string, (f: NoticeFacts) => string>} */
const ATTRIBUTES = {
  ENCRYPTION_KEY_NOT_COPIED: f =>
    `${f.location} is encrypted with the ${f.ownKey}${f.keyId ? ` ${f.keyId}` : ''}; the copy is not. It gets the default encryption of its ${f.terms?.container ?? 'container'}${f.terms?.encryption === undefined ? '' : `; options choose another: ${f.terms.encryption}`}.`,
  ATTRIBUTES_NOT_COPIED: f => `The copy of ${f.location} is without ${list(f.names)}.`,
  ATTRIBUTES_NOT_LOOKED_AT: () =>
    'The attributes of objects that the store copies are not read first: what a copy does not keep is left out without a further notice.',
  METADATA_NOT_FITTING: f => {
    const entry = f.names.length === 1 ? 'entry' : 'entries'
    return `The copy of ${f.location} is without the ${entry} ${list(f.names)} of its user metadata, which ${f.protocol} cannot have: ${f.first.name} ${f.first.fault}.`
  },
  STORAGE_CLASS_NOT_CARRIED: f =>
    `The copy of ${f.location} gets the default storage class of its store: ${f.storageClass} is a class of ${f.from}, and the copy goes to ${f.to}; --storage-class names another one.`,
  TAGS_NOT_COPIED: f => {
    if (f.all === undefined)
      return `The tags of ${f.location}, if it has any, are not copied, because ${f.reason}; --tags none copies no tags.`
    const tags = (f.names?.length ?? f.all) === 1 ? 'tag' : 'tags'
    const which = f.names === undefined ? `${f.all} ${tags}` : `${tags} ${list(f.names)}`
    return `${f.location} is written without the ${which} of its source, because ${f.reason}; --tags none copies no tags.`
  },
  ATTRIBUTES_NOT_KEPT: f => {
    if (f.without) return `${f.location} is without ${list(f.without)}, because its store did not keep that.`
    if (f.changed) return `${f.location} has different values of ${list(f.changed)} than its source.`
    const framing =
      ', because its store keeps the framing of the upload as well: programs that rely on it cannot decode the object.'
    return f.framed
      ? `${f.location} has the ${f.name} ${f.found} instead of ${f.sent}${framing}`
      : `${f.location} has the ${f.name} ${f.found}, because its store ignored ${f.sent}.`
  },
}

/** Sources that are no store's objects. @type {Record<string, (f: NoticeFacts) => string>} */
const SOURCES = {
  SOURCE_REDIRECTED: f => `${f.location} redirects to ${f.host}, where it is read.`,
  SOURCE_UNENCRYPTED: f => `${f.location} is read by http://: nothing protects its bytes on the way.`,
  SOURCE_NOT_PINNED: f => {
    if (f.pin === 'size') {
      return `The server of ${f.location} tells neither an ETag nor a Last-Modified: a change during the copy is noticed only if the size changes.`
    }
    if (f.pin === 'altered') {
      return `The ETag of ${f.location} cannot be compared, as a proxy before its store may change it: a change during the copy is noticed by its Last-Modified, and not if both are in the same second.`
    }
    return f.pin === 'weak'
      ? `The ETag of ${f.location} is weak: a change during the copy may go unnoticed.`
      : `The server of ${f.location} tells no ETag: a change during the copy is noticed by its Last-Modified, and not if both are in the same second.`
  },
  SOURCE_AS_STREAM: f =>
    `The server of ${f.location} ${f.reason}: this machine reads it once, in its order. What breaks off cannot be continued.`,
}

/** What is read again to prove a copy, and what that found. @type {Record<string, (f: NoticeFacts) => string>} */
const PROOF = {
  READING_SOURCE: f => {
    if (f.again) return 'Reading the source a second time.'
    return f.bytes === undefined
      ? 'Reading the source.'
      : `This machine reads the source once more, ${count(f.bytes)} bytes in their order, to compare its SHA-256 before anything is written.`
  },
  READING_BACK: f =>
    f.bytes === undefined
      ? 'Reading the copy back.'
      : `Reading ${count(f.bytes)} bytes of the copy back, because nothing else proves them.`,
  COPY_NOT_LOOKED_AT: f =>
    `The copy at ${f.location} could not be looked at after it was written (${withoutStop(f.reason)}): what proves it is the answer to the write.`,
  READ_BACK_NEEDED: f =>
    f.bytes === undefined
      ? `The destination gives no proof of what it stores: each object is read back.${ofUnknown(f)}`
      : `The destination gives no proof of what it stores, so ${count(f.bytes)} bytes will be read back.${ofUnknown(f)}`,
  MD5_BY_WRITER: f =>
    `The MD5 that the store of ${f.location} tells was compared. Such an MD5 may be only what the object's writer said; --read compares the bytes.`,
  SOURCE_ETAG_DIFFERS: () =>
    "Two readings of the source were equal and do not match its ETag: either the store's ETags are not MD5s, or the stored object is damaged.",
}

/** Why an upload is begun again. @type {Record<string, string>} */
const ANEW = {
  vanished: 'The upload of the earlier run no longer exists: the copy starts over.',
  unprovable: 'The copy was started with --verify none or size, so its parts cannot be proved: it starts over.',
  unchecked:
    'The copy was started with checksums, which the destination is not known to check: it starts over, without them.',
  untold: 'The journal does not tell any more of which object the upload was begun: the copy starts over.',
  replaced: 'The source was replaced since the copy was started: the new source is copied from the beginning.',
}

/** Writes and multipart uploads. @type {Record<string, (f: NoticeFacts) => string>} */
const WRITES = {
  CONDITIONS_NOT_SUPPORTED: f =>
    f.each
      ? 'The destination does not support conditional writes: instead, xfer checks each object just before it writes it.'
      : 'The destination does not support conditional writes: instead, xfer checked it again just before the write.',
  NAME_BREAKS_RULES: f => `The name of ${f.location} ${f.faults}.`,
  SERVER_COPY_REFUSED: f =>
    f.engine === undefined
      ? `${f.reason} What it does not copy goes through the engine.`
      : `${f.reason} The bytes go through the ${f.engine} engine.`,
  UPLOAD_REPEATED: f =>
    f.why === undefined
      ? `${withoutStop(f.reason)}: it is copied again, in a new upload.`
      : (ANEW[f.why] ?? ANEW.vanished),
  EARLIER_UPLOAD_WRONG: f => `An earlier upload of this copy came out wrong at ${f.location}; ${f.now}.`,
  UPLOAD_NOT_ABORTED: f => {
    const upload = f.uploadId === undefined ? 'An upload' : `The upload ${f.uploadId}`
    return f.reason === undefined
      ? `${upload} of ${f.location} is left there: the credentials are not allowed to abort it.`
      : `${upload} of a few bytes or none, which tried what the destination does, could not be aborted (${withoutStop(f.reason)}); abort it with xfer clean.`
  },
  PARTS_LAPSE: f => {
    const what = f.parts === 1 ? `The ${f.part} that was` : `The ${count(f.parts)} ${f.part}s that were`
    const are = f.parts === 1 ? 'is' : 'are'
    return `${what} uploaded to ${f.location} ${are} not visible; ${f.words}, on ${new Date(f.lapsesMs).toISOString().slice(0, 10)}.`
  },
  LOST_UPLOAD: f =>
    `The response to the creation of an upload of ${f.location} was lost. ${
      f.uploadId === undefined
        ? 'An upload without parts may be left there; the credentials are not allowed to list uploads.'
        : `It may be the upload ${f.uploadId}, which has no parts; it is left there, because it may belong to somebody else.`
    }`,
}

/** The job and its journal. @type {Record<string, (f: NoticeFacts) => string>} */
const JOB = {
  JOURNAL_NOT_USED: f =>
    `${f.path === undefined ? 'No journal can be kept' : `The journal ${f.path} cannot be kept`} (${f.reason}): this copy may not be resumable.`,
  JOURNAL_FROM_ELSEWHERE: f =>
    `The journal was brought from elsewhere; it is of a copy from ${f.source} to ${f.destination}.${f.left === '' ? '' : ` The job continues without ${f.left}: repeat those of these options that you want.`}`,
  SERVER_ROW_LEFT_OUT: f =>
    `What ${f.path} says of the ${f.side}'s server is not what xfer doctor --deep writes, and is left out: ask the server again, or delete the file.`,
  OTHER_JOB: f =>
    f.running
      ? `The job ${f.job} of the same prefixes, of other options (${f.options}), is running too: of an object that both copy, the later copy stays.`
      : `The unfinished job ${f.job} of the same prefixes is of other options (${f.options}) and stays as it is: xfer resume ${f.job} continues it, xfer abort ${f.job} gives it up.`,
  JOB_RESUMED: f =>
    `${f.dryRun ? 'Would resume' : 'Resuming'} ${f.job}: ${count(f.objects)} ${f.objects === 1 ? 'object was' : 'objects were'} copied by earlier runs.`,
}

/** What a job waits for. @type {Record<string, (f: NoticeFacts) => string>} */
const WAITS = {
  PLATFORM_POOL: f => {
    const mebibytes = f.memoryBytes / MiB
    const half = Math.max(128, Math.round(mebibytes / 2))
    const more = Math.floor((f.containers * mebibytes) / half)
    const advice =
      half < mebibytes ? ` Its containers share a memory: xfer deploy --memory ${half} may make it ${more}.` : ''
    return `The platform runs about ${f.containers === 1 ? '1 container' : `${count(f.containers)} containers`} at a time, and xfer keeps few more invocations in flight, whatever the quota allows.${advice}`
  },
  WAITING_FOR_PLATFORM: f => {
    if (f.throttle === 'rate') {
      return `Waiting for the platform: its ${f.allowed === undefined ? '' : `${count(f.allowed)} `}invocations a minute are used up.`
    }
    return `Waiting for the platform, which has refused ${f.times} requests in a row because it has too much to do.`
  },
}

/** Why objects are not deleted. @type {Record<string, (location?: string) => string>} */
const KEPT = {
  unlisted: location =>
    `The source stores ${location} but does not list it: the object is neither copied nor deleted (--files-from copies it).`,
  unwritable: () =>
    'Some keys at the destination have characters that its listing cannot express: these objects are neither compared nor deleted.',
  'left out': location =>
    `${location} is not deleted, because in its place the source has a link, or something else that its list leaves out.`,
  folded: location =>
    `${location} is not deleted, because the destination treats its name and that of an object of the source as the same.`,
}

/** Objects below a prefix. @type {Record<string, (f: NoticeFacts) => string>} */
const PREFIX = {
  NOTHING_FOUND: f => {
    if (f.filesFrom !== undefined) return `${f.filesFrom === '-' ? 'Standard input' : f.filesFrom} names no object.`
    return f.objects === undefined
      ? `There is nothing below ${f.location}.`
      : `The filters leave out ${f.objects === 1 ? 'the only object' : `all ${count(f.objects)} objects`} below ${f.location}: nothing is left.`
  },
  INCLUDE_ALONE: () =>
    "An --include leaves nothing out, and does nothing before the first --exclude: for only what it matches, give --exclude '*' before it.",
  FILTERS_UNMATCHED: f => {
    const more = f.filters.length - 10
    const those = `${list(f.filters.slice(0, 10))}${more > 0 ? ` and ${count(more)} more` : ''}`
    const meant =
      f.meant.length === 0
        ? ''
        : ` A name is the whole key below the prefix: perhaps you mean ${list(f.meant.slice(0, 10))}.`
    return `No name matches ${those}.${meant}`
  },
  ROWS_LEFT_OUT: f => {
    const rows = [
      [f.outside, `not below ${f.location}`],
      [f.old, 'of versions that are not the newest'],
      [f.markers, 'of delete markers'],
    ]
    const told = rows.filter(([number]) => number > 0).map(([number, what]) => `${count(number)} ${what}`)
    return `Rows of the manifest are left out: ${told.join(', ')}.`
  },
  MANIFEST_INCOMPLETE: f =>
    `The job of the manifest ${f.path} ended with ${f.result}: objects may be missing from it, and are not copied then; xfer verify -r SRC DEST finds them.`,
  FOLDER_MARKER_SKIPPED: f =>
    `The empty object ${f.location} marks its prefix as a folder: it is skipped, because its key at the destination would be empty.`,
  DESTINATION_NOT_LISTED: f =>
    `The credentials are not allowed to list ${f.location}, so some objects that an earlier run has copied are copied again.`,
  FAILURES_NOT_WRITTEN: f =>
    `The file ${f.path} cannot be written (${f.reason}): names of objects that failed are missing from it.`,
  LISTING_NOT_PROVED: f =>
    `The list of ${f.location} does not show that it is complete (it leaves out ${f.lacks}): what is not in it may be there.`,
  NEWER_REPLACED: f => {
    const more = f.objects - f.names.length
    const which = `${list(f.names)}${more > 0 ? ` and ${count(more)} more` : ''}`
    const newer = f.objects === 1 ? 'One newer object' : `${count(f.objects)} newer objects`
    const were = f.dryRun ? 'would be' : f.objects === 1 ? 'was' : 'were'
    return `${newer} below ${f.location} ${were} replaced by an older source: ${which}; --update leaves alone what is newer there.`
  },
  NOTHING_DELETED: () => 'Nothing was deleted, because some objects were not copied.',
  OBJECT_KEPT: f => (KEPT[f.why] ?? KEPT.unlisted)(f.location),
  FILES_SKIPPED: f => {
    if (f.special) return `Devices, pipes and sockets below ${f.location} are left out, the first in ${f.folder}.`
    return f.followed
      ? `Symbolic links below ${f.location} that lead nowhere are left out, the first in ${f.folder}.`
      : `Symbolic links below ${f.location} are left out, the first in ${f.folder}; --follow-links copies what they lead to.`
  },
}

/** @type {Record<string, (f: NoticeFacts) => string>} */
const TABLE = { ...PLAN, ...ATTRIBUTES, ...SOURCES, ...PROOF, ...WRITES, ...JOB, ...WAITS, ...PREFIX }

module.exports = { TABLE }
