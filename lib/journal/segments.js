'use strict'

/**
 * Journals in a store: a job's lines are numbered segments, `jobs/ID/00000017`, and each is written only if it is not there.
 * The first to write segment n owns the job. The other writer learns it at its next append, and stops: no clock decides that. All segments are sometimes replaced by new ones, the base; then older ones are deleted, but for those with a
 * claim: an owner that slept through its replacement tries to write just that number. `ends/HASH/00000003` has the id of the
 * third job between two places, and is written before that job, so two jobs cannot begin there at once.
 */

const { setTimeout: delay } = require('node:timers/promises')
const { eachAtOnce } = require('../async')
const { XferError, asXferError } = require('../errors')
const { decodeLines, encodeLine } = require('./facts')
const { hashOfEnds } = require('./lock')

/** @typedef {import('../types').Bucket} Bucket */
/** @typedef {import('./facts').Decoded} Decoded */

const HEARTBEAT_MS = 30_000
const STOP = Buffer.from('stop\n')
/** In place of the id of a job that was removed. */
const NO_JOB = Buffer.from('-\n')
/** A line that nobody waits for waits for others. */
const GROUP_MS = 2_000
/** Of a segment, so that a reader needs no more memory. */
const SEGMENT_BYTES = 4 * 1024 ** 2
/** From so many on, they are replaced by a base, */
const MOST_SEGMENTS = 32
/** and when they have grown by so much, and by as much as the base has. */
const LEAST_GROWN_BYTES = 16 * 1024 ** 2
/** A job is not removed from a state so soon after its end: lib/commands/unfinished.js. */
const FORGOTTEN_MS = 10 * 60_000
/** How often a write is tried whose answer does not come: for some 40 s. */
const TRIES = 8
const MOST_PAUSE_MS = 10_000
/** How often a job is read that is being replaced by a base. */
const READS = 5
/** Of the jobs between two places, how many are looked at: the newest. */
const MOST_BETWEEN = 8
/** Segments that are read at once. */
const AT_ONCE = 8

const DIGITS = 8
const nameOf = (/** @type {number} */ n) => String(n).padStart(DIGITS, '0')
const numberOf = (/** @type {string} */ name) => Number(name.slice(-DIGITS))

/**
 * Writes what is not there yet, also if answers are lost.
 *
 * @param {Bucket} bucket
 * @param {string} name
 * @param {Buffer} bytes that nobody else would write
 * @returns {Promise<{ own: boolean, there?: Buffer }>} not own: somebody else has written it; there: what
 * @throws {XferError} the store does not answer, or refuses it
 */
async function claim(bucket, name, bytes) {
  for (let tries = 1; ; tries++) {
    try {
      if (await bucket.putNew(name, bytes)) return { own: true }
      const there = await bucket.get(name)
      return { own: there?.equals(bytes) === true, there }
    } catch (cause) {
      const error = asXferError(cause)
      if (tries === TRIES || !error.retryable) throw error
      await delay(Math.min(MOST_PAUSE_MS, 200 * 2 ** tries))
    }
  }
}

/** What a segment of a base begins with. @param {Buffer} bytes @returns {{ first: number, of: number } | undefined} */
function baseOf(bytes) {
  const [entry] = decodeLines(bytes.subarray(0, bytes.indexOf(0x0a) + 1)).entries
  return entry?.type === 'base' ? entry : undefined
}

/** @param {Buffer} bytes */
const hasClaim = bytes => baseOf(bytes) === undefined && decodeLines(bytes).entries.some(({ type }) => type === 'claim')

/** @typedef {{ decoded: Decoded, next: number, first: number, bytes: number, numbers: number[], claims: Set<number> }} Found */

/**
 * The segments from the last whole base on.
 *
 * @param {Bucket} bucket
 * @param {string} folder
 * @param {string} path for messages
 * @returns {Promise<Found>} first: the number of the first that counts; numbers: of all that are there
 * @throws {XferError} NO_SUCH_JOB, BAD_JOURNAL
 */
async function readSegments(bucket, folder, path) {
  for (let tries = 1; ; tries++) {
    const listed = await bucket.list(folder)
    if (listed.length === 0) throw new XferError('NO_SUCH_JOB', { job: path })
    const numbers = listed.map(({ name }) => numberOf(name))
    const texts = await readAll(
      bucket,
      listed.map(({ name }) => name),
    )
    const start = lastStart(numbers, texts)
    const used = texts.slice(start)
    const broken = used.includes(undefined) || numbers.slice(start).some((n, i) => n !== numbers[start] + i)
    if (!broken) {
      const known = /** @type {Buffer[]} */ (used)
      const decoded = decodeLines(Buffer.concat(known.map(whole)))
      const { modifiedMs } = /** @type {typeof listed[number]} */ (listed.at(-1))
      const claims = new Set(numbers.filter((_, i) => texts[i] && hasClaim(/** @type {Buffer} */ (texts[i]))))
      if (modifiedMs !== undefined) decoded.silentMs = Math.max(0, bucket.now() - modifiedMs)
      const bytes = known.reduce((sum, { length }) => sum + length, 0)
      return {
        decoded,
        next: /** @type {number} */ (numbers.at(-1)) + 1,
        first: numbers[start],
        bytes,
        numbers,
        claims,
      }
    }
    // It was replaced by a base between the list and the reads.
    if (tries === READS) throw new XferError('BAD_JOURNAL', { path, reason: 'segments of it are missing' })
    await delay(100 * tries)
  }
}

/** A segment whose last line has no end. @param {Buffer} bytes */
const whole = bytes => (bytes.at(-1) === 0x0a ? bytes : Buffer.concat([bytes, Buffer.from('\n')]))

/** @param {Bucket} bucket @param {string[]} names @returns {Promise<Array<Buffer | undefined>>} undefined: it is gone */
async function readAll(bucket, names) {
  /** @type {Array<Buffer | undefined>} */
  const texts = Array(names.length)
  await eachAtOnce(names.entries(), AT_ONCE, async ([i, name]) => {
    texts[i] = await bucket.get(name)
  })
  return texts
}

/** The index of the first segment of the last base of which all are there; 0 if there is none. @param {number[]} numbers @param {Array<Buffer | undefined>} texts */
function lastStart(numbers, texts) {
  for (let i = numbers.length - 1; i >= 0; i--) {
    const text = texts[i]
    const base = text && baseOf(text)
    if (!base || base.first !== numbers[i]) continue
    const all = Array.from({ length: base.of }, (_, k) => texts[i + k])
    const isWhole = all.every((one, k) => one && baseOf(one)?.first === base.first && numbers[i + k] === base.first + k)
    if (isWhole) return i
  }
  return 0
}

/** @param {string} text whole lines @param {number} most bytes @returns {string[]} pieces of whole lines */
function piecesOf(text, most) {
  if (text.length * 3 <= most) return [text]
  /** @type {string[]} */
  const pieces = []
  let piece = ''
  let bytes = 0
  for (const line of text.split(/(?<=\n)/)) {
    const length = Buffer.byteLength(line)
    if (bytes > 0 && bytes + length > most) {
      pieces.push(piece)
      piece = ''
      bytes = 0
    }
    piece += line
    bytes += length
  }
  return [...pieces, piece]
}

/**
 * @param {Bucket} bucket
 * @param {string} folder
 * @param {string} path
 * @param {Found} found
 * @returns {import('../types').JournalLog}
 */
function segmentsLog(bucket, folder, path, found) {
  let { next, first, numbers, claims } = found
  let baseBytes = found.bytes
  let grownBytes = 0
  let writtenMs = bucket.now()
  /** What may be there, because no answer came: it is written first. @type {Buffer | undefined} */
  let pending

  /** @param {string} text at most as long as a segment */
  async function write(text) {
    await settle()
    pending = Buffer.from(text)
    await settle()
  }

  async function settle() {
    if (pending === undefined) return
    const bytes = pending
    const name = folder + nameOf(next)
    // Who slept for long may find nothing any more: the job is over, and was removed.
    const slept = bucket.now() - writtenMs > FORGOTTEN_MS
    if (slept && (await bucket.get(folder + nameOf(next - 1))) === undefined) throw takenBy(undefined)
    const { own, there } = await claim(bucket, name, bytes)
    if (!own) throw takenBy(there)
    pending = undefined
    writtenMs = bucket.now()
    numbers.push(next)
    if (hasClaim(bytes)) claims.add(next)
    next++
    grownBytes += bytes.length
  }

  /** @param {Buffer | undefined} there the segment that another process has written */
  function takenBy(there) {
    const claimed = there && decodeLines(there).entries.find(({ type }) => type === 'claim')
    const { pid, host } = /** @type {Partial<import('../types').Claim>} */ (claimed ?? {})
    return new XferError('JOB_TAKEN', { job: path.slice(path.lastIndexOf('/') + 1), pid, host })
  }

  return {
    path,
    heartbeatMs: HEARTBEAT_MS,
    groupMs: GROUP_MS,
    fences: true,

    async asked() {
      const name = `asks/${folder.split('/')[1]}`
      if ((await bucket.get(name)) === undefined) return false
      await bucket.remove([name])
      return true
    },

    async read() {
      pending = undefined
      const now = await readSegments(bucket, folder, path)
      ;({ next, first, numbers, claims } = now)
      baseBytes = now.bytes
      grownBytes = 0
      return now.decoded
    },

    async append(text) {
      for (const piece of piecesOf(text, SEGMENT_BYTES)) await write(piece)
    },

    isGrown: () => next - first >= MOST_SEGMENTS || grownBytes >= Math.max(LEAST_GROWN_BYTES, baseBytes),

    async replace(text) {
      await settle()
      const base = next
      const pieces = piecesOf(text, SEGMENT_BYTES)
      const head = encodeLine({ n: 1, at: bucket.now(), type: 'base', first: base, of: pieces.length })
      for (const piece of pieces) await write(head + piece)
      first = base
      baseBytes = Buffer.byteLength(text)
      grownBytes = 0
      // A reader begins at the base, whichever of them are still there.
      const old = numbers.filter(n => n < base && !claims.has(n))
      await bucket.remove(old.map(n => folder + nameOf(n))).then(
        () => {
          numbers = numbers.filter(n => n >= base || claims.has(n))
        },
        // They are tried again with the next base.
        () => {},
      )
      return true
    },

    async remove(rest) {
      await this.replace(rest())
    },

    async close() {},
  }
}

/** @param {import('.').Ends} ends */
const folderOfEnds = ends => `ends/${hashOfEnds(ends)}/`

/**
 * @param {Bucket} bucket
 * @returns {import('../types').JournalPlace}
 */
function segmentsPlace(bucket) {
  const folderOf = (/** @type {string} */ id) => `jobs/${id}/`
  const pathOf = (/** @type {string} */ id) => `${bucket.text}jobs/${id}`
  /** The last job between two places, as it was before nothing of theirs was found. @type {Map<string, { number: number, unwritten?: string }>} */
  const held = new Map()

  return {
    text: bucket.text,
    fences: true,
    bucket,
    pathOf,
    isPath: () => false,

    async ids() {
      const names = (await bucket.list('jobs/')).map(({ name }) => name.split('/')[1])
      return [...new Set(names)].sort().reverse()
    },

    async idsBetween(ends) {
      const listed = await bucket.list(folderOfEnds(ends))
      const texts = await readAll(
        bucket,
        listed.slice(-MOST_BETWEEN).map(({ name }) => name),
      )
      return texts.flatMap(text => (text && !text.equals(NO_JOB) ? [text.toString().trim()] : [])).reverse()
    },

    read: async id => (await readSegments(bucket, folderOf(id), pathOf(id))).decoded,

    async reserve(ends, id) {
      const of = folderOfEnds(ends)
      const { number, unwritten } = held.get(of) ?? (await lastOf(of))
      // Whoever reserved it was killed before the job was there, or has just written it: one of us does.
      if (unwritten !== undefined) return unwritten
      const { own } = await claim(bucket, of + nameOf(number + 1), Buffer.from(`${id}\n`))
      return own ? id : undefined
    },

    async create(id, lines) {
      const folder = folderOf(id)
      const bytes = Buffer.from(lines)
      if (!(await claim(bucket, folder + nameOf(1), bytes)).own) return undefined
      const found = { next: 2, first: 1, bytes: bytes.length, numbers: [1], claims: new Set([1]) }
      return segmentsLog(bucket, folder, pathOf(id), { ...found, decoded: decodeLines(bytes) })
    },

    async open(id) {
      const found = await readSegments(bucket, folderOf(id), pathOf(id))
      return { log: segmentsLog(bucket, folderOf(id), pathOf(id), found), read: found.decoded }
    },

    async ask(id) {
      await bucket.putNew(`asks/${id}`, STOP)
    },

    async forget(id, ends) {
      const of = folderOfEnds(ends)
      const numbers = (await bucket.list(of)).map(({ name }) => name)
      const ids = (await readAll(bucket, numbers)).map(text => text?.toString().trim())
      const last = String(numbers.at(-1))
      const own = numbers.filter((name, i) => ids[i] === id || (ids[i] === '-' && name !== last))
      // Numbers go on from the last one, and its job would be begun anew under the same id.
      if (ids.at(-1) === id) await claim(bucket, of + nameOf(numberOf(last) + 1), NO_JOB)
      const folders = ['jobs/', 'manifests/', 'asks/'].map(folder => bucket.list(folder + id))
      const names = (await Promise.all(folders)).flat().map(({ name }) => name)
      // Its last segment says that it is over, so that goes last: it is all that may be left after a kill.
      const end = names.filter(name => name.startsWith(folderOf(id))).at(-1)
      await bucket.remove([...names.filter(name => name !== end), ...own])
      if (end !== undefined) await bucket.remove([end])
    },

    async hold(ends) {
      const of = folderOfEnds(ends)
      held.set(of, await lastOf(of))
      return async () => void held.delete(of)
    },
  }

  /** @param {string} of folder of the jobs between two places @returns {Promise<{ number: number, unwritten?: string }>} unwritten: the id of the last one, if it is not there */
  async function lastOf(of) {
    const last = (await bucket.list(of)).at(-1)
    if (!last) return { number: 0 }
    const id = (await bucket.get(last.name))?.toString().trim()
    const isThere = id === undefined || id === '-' || (await bucket.list(folderOf(id))).length > 0
    return { number: numberOf(last.name), ...(!isThere && { unwritten: id }) }
  }
}

module.exports = { segmentsPlace }
