'use strict'

/** Errors of stores, of bytes in transit, and of bytes that are not what they should be: read, written, streamed or compared. */

const { EXIT } = require('./exit-statuses')
const { answer, count, inner, lasting, resumeHint, sideOf, storeCode, tagged, termsOf, why } = require('./phrases')

/** @type {Record<string, import('.').RowOfFile>} */
const STORE = {
  // --- stores --------------------------------------------------------------------------------------------------------
  STORE_UNREACHABLE: {
    message: f =>
      `The ${sideOf(f)} at ${f.endpoint} cannot be reached${f.proxied ? ' through the proxy' : ''} (${why(f)}).`,
    hint: f =>
      `Check ${termsOf(f).address} and the network${f.proxied ? `, and ${f.ownProxy ? `the option ${f.side}.proxy` : 'HTTPS_PROXY, HTTP_PROXY and NO_PROXY'}` : ''}.`,
    shared: true,
  },
  NOT_A_STORE: {
    message: f => `What answers at ${f.endpoint} does not speak the ${f.protocol} protocol (${why(f)}).`,
    hint: f => f.advice ?? `Check ${termsOf(f).endpointInUse}: it must be the ${f.protocol} API, not a web console.`,
  },
  CERTIFICATE_REFUSED: {
    message: f =>
      `The certificate of ${f.endpoint ?? f.where} is not trusted${f.remote ? ' by functions' : ''} (${why(f)}).`,
    hint: f =>
      `Name the file with its authority's certificate by ${f.remote ? 'xfer deploy ' : ''}--ca-bundle, or correct the address.`,
  },
  STORE_THROTTLED: {
    message: f => `The ${sideOf(f)} asks for fewer requests (${answer(f)}).`,
    hint: () => 'Lower --concurrency and repeat the command.',
    throttled: true,
  },
  STORE_ERROR: {
    message: f => `The ${sideOf(f)} failed (${answer(f)}).`,
    hint: () => 'Repeat the command later.',
    shared: true,
  },
  STORE_REFUSED: {
    message: f => `The ${sideOf(f)} refused the request (${answer(f)}).`,
    hint: f => (f.advice ?? `Check what the ${sideOf(f)} at ${f.endpoint} supports and allows.`) + tagged(f),
  },
  COPY_REFUSED: {
    message: f => `The store does not copy this by itself (${answer(f)}).`,
    hint: f =>
      f.inPlace
        ? 'No engine writes over the only object. Look at it with xfer head; then copy it to another key with these options, and move it back with xfer mv.'
        : "Leave out --route server, and the bytes go through the engine; or let the destination's credentials read the source.",
  },
  NO_ETAG: {
    message: f =>
      `The ${sideOf(f)} returns neither an ETag nor a time for the object "${f.key}", so a change during the copy could not be noticed.`,
    hint: f => `Write the object again, or ask the operator of the ${sideOf(f)} at ${f.endpoint} why it has neither.`,
  },
  ARCHIVED: {
    message: f => `The ${f.side} object is archived and cannot be ${f.replaces ? 'replaced' : 'read'}${storeCode(f)}.`,
    hint: f => f.advice ?? f.terms?.restoreAdvice ?? 'Restore it first, then repeat the command.',
  },
  NO_SUCH_STORAGE_CLASS: {
    message: f => `The ${sideOf(f)} has no such storage class${storeCode(f)}.`,
    hint: f => {
      const { storageClass, storageClasses } = termsOf(f)
      if (storageClasses) return `Name one of these with --storage-class: ${storageClasses.join(', ')}.`
      return `Name one that it has with --storage-class${storageClass ? `, or ${storageClass}` : ''}.`
    },
  },
  SIGNATURE_TOO_OLD: {
    message: f => `The ${sideOf(f)} found a signature too old or from the future${storeCode(f)}.`,
    hint: () => "Set this machine's clock, then repeat the command.",
    retryable: true,
  },
  KEY_INVALID: {
    message: f =>
      `The destination can have no object with the key ${JSON.stringify(`${f.keyRoot ?? ''}${f.key}`)}: it ${f.reason}.`,
    hint: () => 'Rename the object, or copy it alone to another key.',
    final: true,
  },
  LISTING_DISORDERED: {
    message: f =>
      `The ${sideOf(f)} does not list keys in the order of their UTF-8 bytes, so nothing can be compared or deleted safely (${f.reason}).`,
    hint: () => 'Name the objects with --files-from, or use a store that lists keys in the order of their UTF-8 bytes.',
  },
  NAMES_FOLDED: {
    message: f =>
      `The destination treats the key "${f.key}" as that of another source object, whose name differs only in case or in Unicode form: the copy would replace it.`,
    hint: () => 'Rename one of the two, or copy them to different prefixes.',
  },
  KEY_UNREADABLE: {
    message: f =>
      `The ${sideOf(f)} lists an object as ${JSON.stringify(f.key)}, but stores it under another key, which its list cannot express.`,
    hint: () => 'Name the object with --files-from, its key as a JSON string; or rename it.',
  },
  UPLOAD_GONE: {
    message: () => 'The multipart upload at the destination is gone: somebody aborted or completed it.',
    hint: () => 'Look for another process that writes or cleans this key, then repeat the command.',
    final: true,
  },
  UPLOAD_CONFLICT: {
    message: () => 'The destination refused to complete the upload, because the key was written at the same time.',
    hint: () => 'Repeat the command.',
    final: true,
  },
  OUTCOME_UNKNOWN: {
    message: f =>
      f.another
        ? `What is at ${f.location} is not the copy: somebody else has written it meanwhile, or its store keeps something else than it was sent.`
        : `It is not known whether the copy is at ${f.location}: ${f.reason}.`,
    hint: () => 'Look at the object there, and repeat the command if it is not the copy.',
  },

  // --- bytes ---------------------------------------------------------------------------------------------------------
  CONNECTION_FAILED: {
    message: f => `A connection to the ${sideOf(f)} failed (${f.reason}).`,
    hint: () => 'Repeat the command; check the network if it fails again.',
    shared: true,
  },
  STALLED: {
    message: f => `A connection to the ${sideOf(f)} moved no byte for too long.`,
    hint: () => 'Repeat the command; if it fails again, check the network, or lower --concurrency.',
    shared: true,
  },
  BAD_ANSWER: {
    message: f => `The ${sideOf(f)} gave an answer that does not fit the request (${f.reason}).`,
    hint: f => `Check what answers at ${f.endpoint ?? 'the endpoint'}: it does not behave like an object store.`,
    retryable: true,
  },
  PART_FAILED: {
    message: f =>
      `${f.partNumber === undefined ? 'The object' : `Part ${f.partNumber}`} failed ${f.attempts} times: ${inner(f.reason)}`,
    hint: f => f.advice,
  },
  OUTAGE: {
    message: f =>
      f.attempts === undefined
        ? `The ${f.peer} at ${f.where} has not answered for ${lasting(f.forMs)}: ${inner(f.reason)}`
        : `The ${f.peer} at ${f.where} answers, but for ${lasting(f.forMs)} all ${f.attempts} attempts have failed: ${inner(f.reason)}`,
    hint: () => 'Repeat the command when it answers again; --outage-timeout sets how long xfer waits.',
  },
  TOO_MANY_FILES: {
    message: f => `The machine that copies may open no more files and connections at once (${why(f)}).`,
    hint: () => 'Raise its limit (ulimit -n), or lower --concurrency.',
    throttled: true,
  },
  SOURCE_KEPT: {
    message: f => `The source ${f.source} was copied to ${f.destination}, but it was not deleted: ${f.reason}.`,
    hint: f => f.advice ?? 'Repeat the command.',
  },
  OBJECTS_FAILED: {
    message: f =>
      `${count(f.objects.failed)} of ${count(f.objects.chosen)} objects could not be ${f.verb ?? 'copied'}${f.alike ? `, all with ${f.alike}` : ''}${f.stopped ? ', and xfer started no more' : ''}.`,
    hint: f =>
      f.alike
        ? `Remove the reason, then ${f.job ? `go on with: xfer resume ${f.job}` : 'repeat the command'}.`
        : f.verb === 'deleted' || f.verb === 'compared'
          ? 'Each is named with the reason. Remove the reason, then repeat the command.'
          : f.stopped
            ? f.job
              ? resumeHint(f)
              : 'Repeat the command.'
            : f.job
              ? `${f.failures ? `Their names are in ${f.failures}. ` : ''}What was copied is kept; to try the others again, go on with: xfer resume ${f.job}`
              : f.failures
                ? `Their names are in ${f.failures}; to copy them, repeat the command with --files-from ${f.failures}.`
                : 'Repeat the command; --failures FILE writes their names to a file that --files-from reads.',
  },
  LISTING_UNPROVED: {
    message: f =>
      `Nothing was deleted below ${f.destination}: the list of ${f.source} does not show that it is complete (it leaves out ${f.lacks}), and ${count(f.deletions)} objects are not in it.`,
    hint: () => 'Delete them with another tool, once you know that the source does not have them.',
  },
  TOO_MANY_DELETIONS: {
    message: f =>
      f.most !== undefined
        ? `Nothing was deleted below ${f.destination}: ${count(f.deletions)} objects were to be deleted, more than the ${count(f.most)} of --max-delete.`
        : `Nothing was deleted below ${f.destination}: ${count(f.deletions)} of the ${count(f.chosen)} objects there are not below ${f.source}, ${f.limit}.`,
    hint: f =>
      `Check ${f.most === undefined ? 'both prefixes' : 'the prefix'}; to delete so many, repeat the command with --max-delete ${f.deletions}.`,
  },
  UPLOAD_LEFT: {
    message: f => f.reason,
    hint: f =>
      f.job
        ? `Parts of it are left at the destination, and cost money; clear them away with: xfer abort ${f.job}`
        : `Abort the upload ${f.uploadId} of ${f.location}, which is left unfinished and whose parts cost money, and then ${inner(f.advice)}`,
  },
  NOT_STARTED: {
    exit: EXIT.ENGINE,
    message: () => 'A function ran out of time before a part was done.',
    hint: () => 'Deploy the function with a longer timeout (xfer deploy --timeout 10m), or choose a smaller --chunk.',
    retryable: true,
  },
  SOURCE_CHANGED: {
    exit: EXIT.SOURCE_CHANGED,
    message: f =>
      f.begunBy
        ? 'The source object is not the one that the copy began with.'
        : 'The source object changed while it was being copied.',
    hint: f =>
      f.begunBy
        ? `The job cannot go on. Copy the new object with: ${f.begunBy}${f.job ? `; or give the job up with: xfer abort ${f.job}` : ''}`
        : 'Repeat the command to copy the new object; nothing was written at the destination.',
    final: true,
  },
  ROW_OUTDATED: {
    exit: EXIT.SOURCE_CHANGED,
    message: f => `The object is not what the manifest says: ${f.reason}.`,
    hint: () => 'Copy it by its name, or take a newer manifest; nothing was written for this row.',
    final: true,
  },
  HEADERS_DIFFER: {
    exit: EXIT.SOURCE_CHANGED,
    message: () => 'The source returned other headers for the object than when the copy began.',
    hint: () => 'Repeat the command.',
  },
  OBJECT_CHANGED: {
    exit: EXIT.SOURCE_CHANGED,
    final: true,
    message: f => `The object ${f.location} changed while it was being read.`,
    hint: f => f.advice ?? 'Repeat the command.',
  },
  DESTINATION_EXISTS: {
    exit: EXIT.EXISTS,
    message: f =>
      f.others === undefined
        ? `The destination ${f.location} exists, and --no-clobber was given.`
        : `There is a ${termsOf(f).container} "${f.bucket}" already${f.others ? ', of another account' : ''}.`,
    hint: f => {
      if (f.others === undefined) return 'Leave out --no-clobber to replace it.'
      return f.others
        ? 'Choose another name: it is unique among all accounts.'
        : 'Use it as it is, or choose another name.'
    },
    final: true,
  },
  DESTINATION_CHANGED: {
    exit: EXIT.EXISTS,
    message: f => `The destination ${f.location} is not the object that --if-match names.`,
    hint: () => 'Look at what is there now, and name its ETag to replace it.',
    final: true,
  },
  READ_BACK_REFUSED: {
    exit: EXIT.ACCESS,
    message: f =>
      `A copy at ${f.location} can only be proved by reading it back, and that is refused (${inner(f.reason).replace(/\.$/, '')}); nothing was written.`,
    hint: f =>
      `${f.advice ? `${f.advice.replace(/\.$/, '')}; or take less` : 'Take less'} than a proof with ${f.unseen ? '--verify none' : '--verify size or none'}.`,
  },
  NOT_READ_BACK: {
    message: f =>
      `The copy at ${f.location} is written, and not proved, because it could not be read back completely: ${inner(f.reason)}`,
    hint: f => `Run xfer verify for both objects; about the reading: ${inner(f.advice)}`,
  },
  NOT_PROVED: {
    message: f => `The copy at ${f.location} is written, and not proved: ${f.reason}.`,
    hint: f =>
      f.advice ??
      `Repeat the command with --verify ${f.instead} if that is enough, or allow reading the copy; nothing was removed.`,
    final: true,
  },
  MANIFEST_INCOMPLETE: {
    message: f =>
      `What was compared is as the manifest ${f.path} says, but its job ended with ${f.result}, so objects may be missing from it.`,
    hint: () => 'Compare the destination with the source: xfer verify -r SRC DEST.',
  },
}

/** Of INPUT_DIFFERS: what to do, by what differs from what was expected. @type {Record<string, string>} */
const DIFFERENT_INPUT = {
  stream: 'Look whether what makes the stream failed, or correct what is expected.',
  source: 'Look at the source, or correct what is expected.',
  server:
    'Repeat the command. If the same is found again, the object is damaged there or its server is wrong; --verify size does not compare it.',
}

/** @type {Record<string, import('.').RowOfFile>} */
const INTEGRITY = {
  READ_CORRUPTED: {
    message: f => `What was read from the ${sideOf(f)} is wrong (${f.reason}).`,
    hint: f => f.advice ?? `Repeat the command; if it happens again, the ${sideOf(f)} itself is damaged.`,
    retryable: true,
  },
  MD5_DIFFERS: {
    message: f => `What was read from the ${sideOf(f)} is wrong (${f.reason}).`,
    hint: f =>
      `Repeat the command; if it happens again, the ${sideOf(f)} itself is damaged, or somebody set a wrong MD5${sideOf(f) === 'source' ? ': --verify size copies it all the same' : ''}.`,
  },
  PART_CORRUPTED: {
    message: f =>
      f.status !== undefined
        ? `The destination refused what it received, because the checksum is not that of what was sent (${answer(f)}).`
        : `What the destination stored is not what was sent (${f.reason}).`,
    hint: () => 'Repeat the command; if it happens again, check the network and memory on the way.',
    retryable: true,
  },
  WRONG_COPY: {
    final: true,
    message: f => `The copy at ${f.location} was read back, and ${f.reason}; ${f.now}.`,
    hint: () => 'Repeat the command; if it happens again, the destination itself is damaged.',
  },
  OBJECTS_DIFFER: {
    message: f => {
      if (f.pairs)
        return `${f.what ?? 'The prefixes'} ${f.source} and ${f.destination} are not equal: ${differences(f.pairs)}${named(f)}.`
      return f.location === undefined
        ? `The objects ${f.source} and ${f.destination} are not equal: ${f.reason}.`
        : `The bytes of ${f.location} have the ${f.sum} ${f.found}, and its store keeps ${f.expected} for them.`
    },
    hint: ({ pairs, location }) => {
      if (!pairs) {
        return location === undefined
          ? 'Find out which of the two is right, and copy that one again.'
          : 'Copy it again from an undamaged object.'
      }
      return pairs.differing + pairs.missing > 0
        ? 'Find out which side is right; xfer sync --checksum copies what is missing or differs.'
        : 'Nothing is missing at the destination; --one-way accepts what only the destination has.'
    },
  },
  INTEGRITY: {
    message: f => `The copy is not what the source has: ${f.reason}${f.now === undefined ? '' : `; ${f.now}`}.`,
    hint: f =>
      f.now === undefined
        ? 'Repeat the command; it ended before this copy was visible at the destination.'
        : 'Repeat the command; if it happens again, the source or the destination is damaged.',
    final: true,
  },
  INPUT_DIFFERS: {
    message: f =>
      `Nothing was written, because the ${f.of === undefined ? 'stream' : 'source'} is not what ${f.of === 'server' ? 'its server tells' : 'was expected'}: its ${f.what} is ${f.found}, and not ${f.expected}.`,
    hint: f => DIFFERENT_INPUT[f.of ?? 'stream'],
  },
  STREAM_PASSED: {
    message: f =>
      `${f.partNumber === undefined ? 'A part' : `Part ${f.partNumber}`} of the stream has to be sent again, and its bytes are gone.`,
    hint: () => 'Repeat the command, and let the bytes be made again.',
  },
}

/** @param {import('../../api/summaries').PairCounts} pairs */
function differences({ listed, differing, missing, extra, failed }) {
  const kinds = [
    ...(differing > 0 ? [`${count(differing)} ${differing === 1 ? 'differs' : 'differ'}`] : []),
    ...(missing > 0 ? [`${count(missing)} missing`] : []),
    ...(extra > 0 ? [`${count(extra)} extra`] : []),
    ...(failed > 0 ? [`${count(failed)} not compared`] : []),
  ]
  return `of ${count(listed)} ${listed === 1 ? 'name' : 'names'} ${kinds.join(', ')}`
}

/** The first few of them. @param {Record<string, any>} facts names: string[]; more: number */
function named({ names = [], more = 0 }) {
  if (names.length === 0) return ''
  return ` (${names.map((/** @type {string} */ name) => JSON.stringify(name)).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''})`
}

module.exports = { INTEGRITY, STORE }
