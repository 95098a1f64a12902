'use strict'

/** Copies with the library, in this process and over real sockets, each with one flipped byte. */

const { createHash, randomFillSync } = require('node:crypto')
const { existsSync } = require('node:fs')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { copy } = require('../../lib')
const { makeBucket, open } = require('../../sandbox/objects')
const { cut, uploadParts } = require('../../sandbox/parts')
const { startStore } = require('../../sandbox/store')
const { MODES } = require('../../sandbox/store/modes')
const { ENCRYPTING, SIZES } = require('./kinds')

const BUCKET = 'flips'
/** In memory if there is /dev/shm, so that no disk is measured. */
const MEMORY = '/dev/shm'

/** @typedef {import('./kinds').Kind} Kind */
/** @typedef {import('../../sandbox/store/types').RunningStore} RunningStore */

/**
 * What came of the tries of one kind: `mended`, the copy is right; `stopped`, with status 8 and no object, or with 4 before
 * anything was written, or by the mode before a byte was flipped; `reported`, the copy failed and an object is left, wrong or not proved, which only some modes make happen;
 * `unnoticed`, the copy ended well and a wrong object is there; `other`, whatever else.
 *
 * @typedef {{ tries: number, mended: number, stopped: number, reported: number, unnoticed: number, other: string[] }} Count
 */

/**
 * @param {Kind} kind
 * @param {{ tries: number, random: () => number }} how random: in [0, 1)
 * @returns {Promise<Count>}
 */
async function tryKind(kind, { tries, random }) {
  const dir = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'xfer-flips-'))
  const [source, destination] = await Promise.all([
    startStore({ dir: join(dir, 'source'), ...(kind.source ?? (kind.keeps === 'nothing' && ENCRYPTING)) }),
    startStore({ dir: join(dir, 'destination'), ...kind.destination }),
  ])
  const copies = open(destination, BUCKET)
  try {
    for (const store of [source, destination]) await makeBucket(store, BUCKET)
    const sha256 = await makeSource(kind, source)
    /** @type {Count} */
    const count = { tries, mended: 0, stopped: 0, reported: 0, unnoticed: 0, other: [] }
    const env = environment(source, destination, dir)
    for (let i = 0; i < tries; i++) {
      const result = await tryOnce({ kind, source, destination, copies, sha256, env, random })
      if (isCounted(result)) count[result]++
      else count.other.push(result)
    }
    return count
  } finally {
    copies.close()
    await Promise.all([source.close(), destination.close()])
    await rm(dir, { recursive: true, force: true })
  }
}

/** @param {string} result @returns {result is 'mended' | 'stopped' | 'reported' | 'unnoticed'} */
function isCounted(result) {
  return ['mended', 'stopped', 'reported', 'unnoticed'].includes(result)
}

/** @param {Kind} kind @param {RunningStore} source @returns {Promise<string>} SHA-256, hex */
async function makeSource({ route, keeps }, source) {
  const body = randomFillSync(Buffer.alloc(SIZES[route].reduce((sum, size) => sum + size)))
  if (route === 'put') await putWhole(source, body, keeps === 'full')
  else {
    const checksum = keeps === 'full' ? 'FULL_OBJECT' : keeps === 'composite' ? 'COMPOSITE' : undefined
    await uploadParts(source, BUCKET, 'source', cut(body, ...SIZES.multipart.slice(0, -1)), { checksum })
  }
  return createHash('sha256').update(body).digest('hex')
}

/** @param {RunningStore} access @param {Buffer} Body @param {boolean} checksum */
async function putWhole({ endpoint, accessKeyId, secretAccessKey, region }, Body, checksum) {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const s3 = require('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const sum = checksum && /** @type {const} */ ({ ChecksumAlgorithm: 'CRC32' })
  await client.send(new s3.PutObjectCommand({ Bucket: BUCKET, Key: 'source', Body, ...sum }))
  client.destroy()
}

/** @param {RunningStore} source @param {RunningStore} destination @param {string} dir */
function environment(source, destination, dir) {
  const side = (/** @type {string} */ prefix, /** @type {RunningStore} */ access) => ({
    [`XFER_${prefix}_ENDPOINT_URL`]: access.endpoint,
    [`XFER_${prefix}_ACCESS_KEY_ID`]: access.accessKeyId,
    [`XFER_${prefix}_SECRET_ACCESS_KEY`]: access.secretAccessKey,
    [`XFER_${prefix}_REGION`]: access.region,
  })
  const { PATH } = process.env
  return {
    PATH,
    HOME: dir,
    XDG_STATE_HOME: join(dir, 'state'),
    ...side('SOURCE', source),
    ...side('DEST', destination),
  }
}

/**
 * @param {object} at
 * @param {Kind} at.kind
 * @param {RunningStore} at.source
 * @param {RunningStore} at.destination
 * @param {import('../../lib/types').Store} at.copies the destination's bucket
 * @param {string} at.sha256 of the source
 * @param {NodeJS.ProcessEnv} at.env
 * @param {() => number} at.random
 * @returns {Promise<string>} what came of it
 */
async function tryOnce({ kind, source, destination, copies, sha256, env, random }) {
  const { flip, when, verify = 'auto' } = kind
  const fault = (flip === 'read' ? source : destination).faults.add(faultOf(kind, random))
  const error = await copy(`s3://${BUCKET}/source`, `s3://${BUCKET}/copy`, {
    chunk: '5MiB',
    concurrency: 1,
    engine: 'local',
    verify,
    onFailure: 'abort',
    retries: when === 'always' ? 0 : 1,
    env,
  }).then(
    () => undefined,
    failure => failure,
  )
  const { hits } = fault
  fault.remove()
  const found = await lookAndRemove(destination, copies)
  const mayFail = MODES.find(({ name }) => name === kind.mode)?.mayFail && hits === 0
  if (kind.mode && (error?.exitCode === 4 || (mayFail && error)) && found === undefined) return 'stopped'
  if (hits === 0) return 'no byte was flipped'
  if (found !== undefined && found !== sha256) return kind.mode && error ? 'reported' : 'unnoticed'
  if (found === sha256 && error === undefined) return 'mended'
  if (found === sha256) return kind.mode ? 'reported' : `${error.code}, and the copy is there`
  return error?.exitCode === 8 ? 'stopped' : `${error?.code}, and no copy is there`
}

/**
 * Which byte of which body. One invocation runs at a time, so the n-th request is the n-th part.
 *
 * @param {Kind} kind
 * @param {() => number} random
 * @returns {import('../../sandbox/store/types').FaultRule}
 */
function faultOf({ route, flip, when, keeps, verify }, random) {
  const sizes = SIZES[route]
  /** @param {number} below */
  const draw = below => Math.floor(random() * below)
  const halves = sizes.flatMap(size => [size / 2, size / 2])
  if (flip === 'read') {
    // A source without a checksum is read twice, and either reading can be flipped. For a PUT its own reading comes second.
    const twice = route === 'put' ? [...halves, ...sizes] : [...sizes, ...halves]
    const bodies = keeps === 'nothing' && verify === 'full' ? twice : sizes
    if (when === 'always') return { operation: 'GetObject', flipByteAt: draw(Math.min(...halves)) }
    const n = draw(bodies.length)
    return { operation: 'GetObject', nth: n + 1, flipByteAt: draw(bodies[n]) }
  }
  const where = flip === 'stored' ? { on: /** @type {const} */ ('stored') } : {}
  const times = when === 'always' ? {} : { first: 1 }
  if (route === 'put') return { operation: 'PutObject', ...times, flipByteAt: draw(sizes[0]), ...where }
  // `leastBytes` excludes the part of a few bytes that tests whether a store checks.
  const part = { operation: 'UploadPart', leastBytes: Math.min(...sizes), ...where }
  if (when === 'always') return { ...part, flipByteAt: draw(Math.min(...sizes)) }
  const n = draw(sizes.length)
  return { ...part, partNumber: n + 1, ...times, flipByteAt: draw(sizes[n]) }
}

/** @param {RunningStore} store @param {import('../../lib/types').Store} copies @returns {Promise<string | undefined>} SHA-256 of the copy, if there is one */
async function lookAndRemove(store, copies) {
  const { objects } = await store.look(BUCKET)
  const copy = objects.find(({ key }) => key === 'copy')
  if (!copy) return undefined
  await copies.remove({ key: 'copy', etag: `"${copy.etag}"` })
  return createHash('sha256').update(copy.bytes).digest('hex')
}

module.exports = { tryKind }
