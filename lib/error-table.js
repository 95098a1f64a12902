'use strict'

/**
 * Every error that xfer answers with: one class, one table.
 *
 * A row says what happened (`message`), what to do (`hint`), which exit status the command ends with, and how the
 * scheduler may act on it: `retryable` (again after a while), `throttled` (again, with less at once, and without
 * counting as an attempt), `uncertain` (the invocation may have run: ask the destination before repeating), `smaller` (an
 * invocation with less to do may succeed, and the one that had more counts as no attempt). Where no row fits, the code is `INTERNAL`, which is a defect of xfer.
 *
 * Facts (side, bucket, expected, found, …) are fields of the error; nothing ever reads a message.
 */

const { answer, deployCommand, inner, keyAdvice, optionOf, prefixOf, storeCode, why } = require('./error-words')

const EXIT = Object.freeze({
  OK: 0,
  FAILED: 1,
  USAGE: 2,
  NOT_FOUND: 3,
  ACCESS: 4,
  ENGINE: 5,
  SOURCE_CHANGED: 6,
  EXISTS: 7,
  INTEGRITY: 8,
  INTERRUPTED: 130,
})

/**
 * @typedef {Record<string, any>} Facts
 * @typedef {object} Row
 * @property {number} exit
 * @property {(facts: Facts) => string} message
 * @property {(facts: Facts) => string} hint
 * @property {boolean} [retryable]
 * @property {boolean} [throttled]
 * @property {boolean} [uncertain]
 * @property {boolean} [smaller]
 */

/** @type {Record<string, Row>} */
const TABLE = {
  // --- usage ---------------------------------------------------------------------------------------------------------
  USAGE: { exit: EXIT.USAGE, message: f => f.text, hint: f => f.advice ?? 'Run xfer --help to see what is possible.' },
  UNKNOWN_SCHEME: {
    exit: EXIT.USAGE,
    message: f => `The ${f.side} "${f.location}" has no scheme that xfer knows.`,
    hint: () => 'Write it as s3://bucket/key.',
  },
  BAD_LOCATION: {
    exit: EXIT.USAGE,
    message: f => `The ${f.side} "${f.location}" is not a location: ${f.reason}.`,
    hint: () => 'Write it as s3://bucket/key or s3://profile@bucket/key.',
  },
  SAME_OBJECT: {
    exit: EXIT.USAGE,
    message: f => `Source and destination are the same object, ${f.location}.`,
    hint: () => 'Give the copy another key or another bucket.',
  },
  TOO_LARGE: {
    exit: EXIT.USAGE,
    message: f => `The object has ${f.bytes} bytes, more than the ${f.most} that the destination takes in one object.`,
    hint: () => 'Split the object before copying it, or choose a destination that takes larger ones.',
  },

  // --- not found -----------------------------------------------------------------------------------------------------
  NO_SUCH_KEY: {
    exit: EXIT.NOT_FOUND,
    message: f => `There is no object "${f.key}" in the ${f.side} bucket "${f.bucket}".`,
    hint: () => 'Check the key: it is taken literally, upper and lower case, spaces and slashes included.',
  },
  NO_SUCH_BUCKET: {
    exit: EXIT.NOT_FOUND,
    message: f => `There is no ${f.side} bucket "${f.bucket}" at ${f.endpoint}.`,
    hint: f => `Check the bucket's name and --${optionOf(f)}-endpoint-url, or create the bucket.`,
  },

  // --- access --------------------------------------------------------------------------------------------------------
  NO_CREDENTIALS: {
    exit: EXIT.ACCESS,
    message: f => `No credentials were found for the ${f.side}.`,
    hint: f =>
      `Name a profile with --${optionOf(f)}-profile, or set XFER_${prefixOf(f)}_ACCESS_KEY_ID and XFER_${prefixOf(f)}_SECRET_ACCESS_KEY${
        f.side === 'source' ? ', or read a public object with --source-no-sign-request' : ''
      }.`,
  },
  NO_SUCH_PROFILE: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side} names the profile "${f.profile}", and no such profile is configured.`,
    hint: () => 'Check the name in ~/.aws/config and ~/.aws/credentials, or where AWS_CONFIG_FILE points.',
  },
  MALFORMED_CREDENTIALS: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side}'s ${f.what} holds a blank, a line end or a character outside ASCII.`,
    hint: () => 'Copy it again, without what stands around it.',
  },
  CREDENTIALS_REFUSED: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side} refuses these credentials${storeCode(f)}.`,
    hint: f => `Check the access key, the secret key and the endpoint of the ${f.side}: ${f.endpoint}.`,
  },
  CREDENTIALS_EXPIRED: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side}'s credentials have expired${storeCode(f)}.`,
    hint: () => 'Log in again, then repeat the command.',
  },
  ACCESS_DENIED: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side} denies access to "${f.bucket}"${storeCode(f)}.`,
    hint: f =>
      f.side === 'source'
        ? 'The credentials need s3:GetObject on the source object; without s3:ListBucket a missing object looks the same.'
        : 'The credentials need s3:PutObject and s3:AbortMultipartUpload on the destination object.',
  },

  // --- engine --------------------------------------------------------------------------------------------------------
  NO_PLATFORM: {
    exit: EXIT.ENGINE,
    message: f =>
      f.neededBy
        ? `No OpenWhisk platform is configured, and ${f.neededBy} needs one.`
        : 'The openwhisk engine was asked for, and no OpenWhisk platform is configured.',
    hint: f =>
      `Set APIHOST and AUTH in ~/.wskprops or in the environment${f.neededBy ? '' : ', or use --engine local'}.`,
  },
  PLATFORM_UNREACHABLE: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} cannot be reached (${why(f)}).`,
    hint: f => `Check APIHOST and the network${f.neededBy ? '' : ', or copy with --engine local'}.`,
    retryable: true,
    uncertain: true,
  },
  NOT_A_PLATFORM: {
    exit: EXIT.ENGINE,
    message: f => `What answers at ${f.apihost} is no OpenWhisk platform (${why(f)}).`,
    hint: () => 'Check APIHOST: it must be the API host that wsk uses, with or without https.',
  },
  PLATFORM_KEY_REFUSED: {
    exit: EXIT.ENGINE,
    message: f =>
      f.status === 403
        ? `The OpenWhisk platform at ${f.apihost} does not let this key into the namespace (HTTP 403).`
        : `The OpenWhisk platform at ${f.apihost} refuses the key (HTTP ${f.status}).`,
    hint: keyAdvice,
  },
  ACTION_NOT_DEPLOYED: {
    exit: EXIT.ENGINE,
    message: f => `The action ${f.action} is not deployed on ${f.apihost}.`,
    hint: f => `Run ${deployCommand(f)}, then repeat the command.`,
  },
  ACTION_VERSION: {
    exit: EXIT.ENGINE,
    message: f => `The action ${f.action} on ${f.apihost} does not fit this xfer: ${f.reason}.`,
    hint: f => `Run ${deployCommand(f)}, then repeat the command.`,
  },
  ACTION_BROKEN: {
    exit: EXIT.ENGINE,
    message: f => `The action ${f.action} on ${f.apihost} cannot be started (${f.reason}).`,
    hint: f => `Run ${deployCommand(f)}, then repeat the command.`,
  },
  PLATFORM_THROTTLED: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} has too much to do (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Lower --concurrency, or ask the platform for a higher limit.',
    retryable: true,
    throttled: true,
  },
  PLATFORM_ERROR: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} failed (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Repeat the command; if it fails again, look at the activation on the platform.',
    retryable: true,
    uncertain: true,
  },
  PLATFORM_REFUSED: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} refused the request (HTTP ${f.status}: ${f.reason}).`,
    hint: f => f.advice ?? 'Check the platform and the limits of its namespace.',
  },
  PLATFORM_CONFLICT: {
    exit: EXIT.ENGINE,
    message: f => `Something is in the way on the OpenWhisk platform at ${f.apihost} (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Repeat the command; if it fails again, look at what has that name on the platform.',
    retryable: true,
  },
  ACTIVATION_FAILED: {
    exit: EXIT.ENGINE,
    message: f => `The action failed on ${f.apihost}: ${f.reason}.`,
    hint: f => `Look at activation ${f.activationId ?? '(its id was not given)'} on the platform.`,
    retryable: true,
    uncertain: true,
  },
  ACTIVATION_LOST: {
    exit: EXIT.ENGINE,
    message: f => `An activation on ${f.apihost} gave no answer within ${Math.round(f.afterMs / 1000)} s.`,
    hint: f => `Look at activation ${f.activationId ?? '(its id was not given)'} on the platform.`,
    retryable: true,
    uncertain: true,
  },
  ACTIVATION_OUT_OF_MEMORY: {
    exit: EXIT.ENGINE,
    message: f => `A function on ${f.apihost} ran out of memory.`,
    hint: () => 'Deploy the action with more memory.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  ACTIVATION_TIMED_OUT: {
    exit: EXIT.ENGINE,
    message: f => `A function on ${f.apihost} ran into its time limit (${f.reason}).`,
    hint: () => 'Deploy the action with a longer timeout, or choose a smaller --chunk.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  ACTIVATION_EXITED: {
    exit: EXIT.ENGINE,
    message: f => `A function on ${f.apihost} ended without an answer (${f.reason}).`,
    hint: f =>
      `Look at activation ${f.activationId ?? '(its id was not given)'} on the platform; deploy with more memory if it was short.`,
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  PAYLOAD_TOO_LARGE: {
    exit: EXIT.ENGINE,
    message: f => `What an invocation on ${f.apihost} says is longer than the platform allows (${f.reason}).`,
    hint: () => 'Lower --parts-per-invocation.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  LOCAL_WORKER_FAILED: {
    exit: EXIT.ENGINE,
    message: f => `A thread of the local engine failed (${f.reason}).`,
    hint: () => 'Repeat the command with --debug; lower --concurrency if memory was short.',
    retryable: true,
  },

  // --- stores --------------------------------------------------------------------------------------------------------
  STORE_UNREACHABLE: {
    exit: EXIT.FAILED,
    message: f =>
      `The ${f.side} at ${f.endpoint} cannot be reached${f.proxied ? ' through the proxy' : ''} (${why(f)}).`,
    hint: f =>
      `Check --${optionOf(f)}-endpoint-url, the region and the network${f.proxied ? ', and HTTPS_PROXY, HTTP_PROXY and NO_PROXY' : ''}.`,
    retryable: true,
  },
  NOT_A_STORE: {
    exit: EXIT.FAILED,
    message: f => `What answers at ${f.endpoint} does not speak the S3 protocol (${why(f)}).`,
    hint: f => `Check --${optionOf(f)}-endpoint-url: it must be the S3 API, not a web console.`,
  },
  CERTIFICATE_REFUSED: {
    exit: EXIT.FAILED,
    message: f => `The certificate of ${f.endpoint ?? f.apihost} is not trusted (${why(f)}).`,
    hint: () => "Name the file with its authority's certificate in NODE_EXTRA_CA_CERTS, or correct the address.",
  },
  STORE_THROTTLED: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} asks for fewer requests (${answer(f)}).`,
    hint: () => 'Lower --concurrency and repeat the command.',
    retryable: true,
    throttled: true,
  },
  STORE_ERROR: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} failed (${answer(f)}).`,
    hint: () => 'Repeat the command later.',
    retryable: true,
  },
  STORE_REFUSED: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} refused the request (${answer(f)}${f.reason ? `: ${f.reason}` : ''}).`,
    hint: f => `Check what the ${f.side} at ${f.endpoint} supports and allows.`,
  },
  ARCHIVED: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} object is archived and cannot be read${storeCode(f)}.`,
    hint: () => 'Restore it first, then repeat the command.',
  },
  SIGNATURE_TOO_OLD: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} found a signature too old or from the future${storeCode(f)}.`,
    hint: () => "Set this machine's clock.",
    retryable: true,
  },
  KEY_RESOLVED: {
    exit: EXIT.FAILED,
    message: f =>
      `The destination takes the key "${f.key}" for the path "${f.other}"${f.written ? ', and stored the copy there' : ''}.`,
    hint: () => 'Give the copy a key without "." and "..", and without empty segments.',
  },
  UPLOAD_GONE: {
    exit: EXIT.FAILED,
    message: () => 'The multipart upload at the destination is gone: somebody aborted or completed it.',
    hint: () => 'Look for another process that writes or cleans this key, then repeat the command.',
  },
  UPLOAD_CONFLICT: {
    exit: EXIT.FAILED,
    message: () => 'The destination refused to complete the upload, for the key was written at the same time.',
    hint: () => 'Repeat the command.',
  },

  // --- bytes ---------------------------------------------------------------------------------------------------------
  CONNECTION_FAILED: {
    exit: EXIT.FAILED,
    message: f => `A connection to the ${f.side} failed (${f.reason}).`,
    hint: () => 'Repeat the command; check the network if it fails again.',
    retryable: true,
  },
  STALLED: {
    exit: EXIT.FAILED,
    message: f => `A connection to the ${f.side} moved no byte for too long.`,
    hint: () => 'Repeat the command; check the network if it fails again.',
    retryable: true,
  },
  BAD_ANSWER: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} gave an answer that does not fit the request (${f.reason}).`,
    hint: f => `Check what answers at ${f.endpoint ?? 'the endpoint'}: it does not behave like an object store.`,
    retryable: true,
  },
  PART_FAILED: {
    exit: EXIT.FAILED,
    message: f => `Part ${f.partNumber} failed ${f.attempts} times: ${inner(f.reason)}`,
    hint: f => f.advice,
  },
  UPLOAD_LEFT: {
    exit: EXIT.FAILED,
    message: f => f.reason,
    hint: f =>
      `Abort the upload ${f.uploadId} of ${f.location}, which is left unfinished and whose parts cost money, and then ${inner(f.advice)}`,
  },
  TRAILER_REFUSED: {
    exit: EXIT.FAILED,
    message: f => `The destination takes no checksum behind the bytes (${answer(f)}).`,
    hint: () => 'Repeat the command.',
  },
  NOT_STARTED: {
    exit: EXIT.ENGINE,
    message: () => 'A function ran out of time before a part was done.',
    hint: () => 'Deploy the action with a longer timeout, or choose a smaller --chunk.',
    retryable: true,
  },
  SOURCE_CHANGED: {
    exit: EXIT.SOURCE_CHANGED,
    message: () => 'The source object changed while it was being copied.',
    hint: () => 'Repeat the command to copy the new object; nothing was written at the destination.',
  },
  DESTINATION_EXISTS: {
    exit: EXIT.EXISTS,
    message: f => `The destination ${f.location} exists, and --no-clobber was given.`,
    hint: () => 'Leave out --no-clobber to replace it.',
  },
  READ_CORRUPTED: {
    exit: EXIT.INTEGRITY,
    message: f => `What was read is not what the source keeps (${f.reason}).`,
    hint: () => 'Repeat the command; if it happens again, the source itself is damaged.',
    retryable: true,
  },
  PART_CORRUPTED: {
    exit: EXIT.INTEGRITY,
    message: f => `What the destination stored is not what was sent (${f.reason ?? answer(f)}).`,
    hint: () => 'Repeat the command; if it happens again, check the network and memory on the way.',
    retryable: true,
  },
  INTEGRITY: {
    exit: EXIT.INTEGRITY,
    message: f => `The copy is not what the source has: ${f.reason}.`,
    hint: () => 'Repeat the command; no proved object was left at the destination.',
  },

  // --- the rest ------------------------------------------------------------------------------------------------------
  BAD_MANIFEST: {
    exit: EXIT.USAGE,
    message: f => `The manifest ${f.path} cannot be used: ${f.reason}.`,
    hint: () => 'Use the manifest.yaml that came with this xfer.',
  },
  CHECK_TIMED_OUT: {
    exit: EXIT.FAILED,
    message: f => `There was no answer within ${Math.round(f.afterMs / 1000)} s.`,
    hint: () => 'Check the network, and what else keeps this machine waiting.',
  },
  INTERRUPTED: {
    exit: EXIT.INTERRUPTED,
    message: f => `The ${f.what ?? 'copy'} was interrupted.`,
    hint: f => (f.what ? 'Repeat the command.' : 'Repeat the command to copy again.'),
  },
  INTERNAL: {
    exit: EXIT.FAILED,
    message: f => `Something went wrong inside xfer (${f.reason}).`,
    hint: () => 'Repeat the command with --debug and report what it prints.',
  },
}

module.exports = { EXIT, TABLE }
