'use strict'

/**
 * Copies whole objects in this thread, for tasks whose write is made late: all bytes are read first, and then the write is made,
 * with what the read has told and with the checksum of the bytes in a header.
 */

const { accessRules } = require('../../../actions/copy-range/address-guard')
const { sumsIn } = require('../../../actions/copy-range/answers')
const copying = require('../../../actions/copy-range/copy')
const { Failure } = require('../../../actions/copy-range/failure')
const { requestOf } = require('../../../actions/copy-range/task')
const { hold, release } = require('../../../actions/copy-range/slab')
const { createRoom, eachAtOnce, onAbort } = require('../../async')
const { proxyOfRequest } = require('../../http')

const { Attempt, createSums, MAX_TIMER_MS, openRead, openWrite, sentBy, withSource } = copying

/** @typedef {import('../../types').Task & { late: import('../../types').Late }} LateTask */
/** @typedef {import('../../types').Outcome} Outcome */
/** @typedef {import('../../types').Sum} Sum */

/** @typedef {InstanceType<typeof Attempt>} Running */
/** @typedef {import('../../../actions/copy-range/slab').Slab} Slab */
/** @typedef {import('../../../actions/copy-range/net').Reach} Reach */

/**
 * @typedef {object} How
 * @property {(request: import('../../types').DataRequest) => Reach} reachOf with the proxy of the request, if it has one
 * @property {number} stallMs how long a connection may be silent
 * @property {import('../../../actions/copy-range/attempt').Pace} [pace]
 * @property {import('../../../actions/copy-range/transport').LocalTransports} local
 */

/** How long a connection may be silent where nothing is said. */
const STALL_MS = 30_000
/** The bytes that all tasks of this thread hold at once; a larger object is held alone. */
const MOST_HELD = 64 * 1024 * 1024
const memory = createRoom(MOST_HELD)

/** @param {Pick<How, 'pace' | 'local'> & { ca?: string, stallMs?: number }} how */
function createWhole({ ca, stallMs = STALL_MS, pace, local }) {
  const how = { reachOf: reachesBy(ca), stallMs, pace, local }

  /**
   * @param {LateTask[]} tasks
   * @param {{ signal: AbortSignal, parallel?: number }} options parallel: how many at once
   * @returns {Promise<Outcome[]>} in the order of the tasks
   */
  return async (tasks, { signal, parallel = 1 }) => {
    /** @type {Set<Running>} */
    const running = new Set()
    /** @type {Outcome[]} */
    const outcomes = new Array(tasks.length)
    const forget = onAbort(signal, () => {
      for (const attempt of running) attempt.fail(new Failure('CANCELLED'))
    })
    try {
      await eachAtOnce(tasks.entries(), Math.min(parallel, tasks.length), async ([index, task]) => {
        outcomes[index] = await copyWhole(task, how, running, signal)
      })
    } finally {
      forget()
    }
    return outcomes
  }
}

/**
 * Routes are kept by the reach, so requests with the same proxy share one. Which proxy a request takes is decided by the
 * environment of the job, not by that of this process: `proxies` is never absent.
 *
 * @param {string} [ca]
 * @returns {How['reachOf']}
 */
function reachesBy(ca) {
  const reach = { access: accessRules(undefined), ca }
  /** @type {Map<string, Reach>} */
  const reaches = new Map()
  return request => {
    const proxy = proxyOfRequest(request)
    const known = reaches.get(proxy)
    if (known) return known
    const made = { ...reach, proxies: { read: proxy, write: proxy } }
    reaches.set(proxy, made)
    return made
  }
}

/**
 * @param {LateTask} task
 * @param {How} how
 * @param {Set<Running>} running to which its attempt belongs meanwhile
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>} always; a failure is an outcome too
 */
async function copyWhole(task, how, running, signal) {
  const startedAtMs = Date.now()
  const started = performance.now()
  const { partNumber, bytes } = task
  /** @type {Running | undefined} */
  let attempt
  const room = memory.enter(bytes)
  if (room) await room
  try {
    // A connection that was kept may have died unnoticed. Then nothing has happened yet, and new ones are tried, once.
    for (let fresh = false; ; fresh = true) {
      if (signal.aborted) throw new Failure('CANCELLED')
      attempt = new Attempt({ stallMs: how.stallMs, fresh, reach: how.reachOf(task.read) })
      running.add(attempt)
      try {
        const { firstByte, ...copied } = await copyOnce(task, attempt, how)
        const firstByteMs = Math.round(firstByte - started)
        const timing = { startedAtMs, firstByteMs, totalMs: Math.round(performance.now() - started) }
        return { partNumber, bytes, ...copied, timing }
      } catch (error) {
        if (fresh || !(error instanceof Failure && error.stale)) throw error
      } finally {
        running.delete(attempt)
        attempt.end()
      }
    }
  } catch (error) {
    return { partNumber, error: Failure.from(error).toJSON(), sent: sentBy(attempt) }
  } finally {
    memory.leave(bytes)
  }
}

/**
 * @param {LateTask} task
 * @param {Running} attempt
 * @param {How} how
 * @throws {Failure}
 */
async function copyOnce({ partNumber, bytes, expect, read, late }, attempt, { reachOf, pace, local }) {
  const request = requestOf(read, read.accepts, local)
  const { source } = await openRead(
    { partNumber, bytes, start: 0, sums: [], tell: true, expect, read: request },
    attempt,
  )
  const firstByte = performance.now()
  const { body, slab } = await readAll(source, bytes, attempt, pace)
  try {
    // Neither side is waited for meanwhile.
    attempt.rest()
    const headers = /** @type {Record<string, string>} */ (source.headers)
    const kept = sumsIn(headers, read.accepts.checksums)
    const made = await late({ headers, kept, digest: kinds => sumsOf(kinds, body) }).catch(known => {
      throw Object.assign(new Failure('INTERNAL'), { known })
    })
    if (attempt.failure) throw attempt.failure
    const { sums, expect: wanted = {} } = made
    for (const sum of /** @type {Sum[]} */ (Object.keys(sums))) {
      if (wanted[sum] === undefined || wanted[sum] === sums[sum]) continue
      throw new Failure('SUM_MISMATCH', { side: 'read', sum, expected: wanted[sum], found: sums[sum] })
    }
    const target = withSource(requestOf(made.write, made.write.accepts, local), source)
    const write = await openWrite(target, attempt, reachOf(made.write))
    if (bytes > 0) write.sink.write(body, slab)
    write.sink.end()
    const { etag, headers: written = {} } = await write.answer()
    return { firstByte, etag, sums, headers: { read: headers, write: /** @type {Record<string, string>} */ (written) } }
  } finally {
    if (slab) release(slab)
  }
}

/** @param {readonly Sum[]} kinds @param {Buffer} body */
function sumsOf(kinds, body) {
  const sums = createSums(kinds, body.length)
  sums.update(body)
  return sums.digest()
}

/**
 * All of a body. Mostly it lies in one slab already, where its connection has put it.
 *
 * @param {import('../../../actions/copy-range/transport').Answer} source
 * @param {number} bytes
 * @param {Running} attempt
 * @param {How['pace']} pace
 * @returns {Promise<{ body: Buffer, slab?: Slab }>} slab: where it is, held; to be released
 * @throws {Failure} BODY_LENGTH, or what else ends the attempt
 */
function readAll({ body: source }, bytes, attempt, pace) {
  let received = 0
  let ended = false
  /** Where all that was received lies in one piece. @type {{ slab: Slab, at: number } | undefined} */
  let lies
  /** Where it is copied to if it does not. @type {Buffer | undefined} */
  let whole
  /** @type {NodeJS.Timeout | undefined} while it is too early to read on */
  let early

  /** @param {Buffer} piece behind what was received @param {Slab} [slab] where it is */
  function keep(piece, slab) {
    if (!whole && slab && received === 0) {
      hold(slab)
      lies = { slab, at: piece.byteOffset }
    } else if (!lies || lies.slab !== slab || piece.byteOffset !== lies.at + received) {
      whole ??= Buffer.allocUnsafe(bytes)
      if (lies) {
        Buffer.from(lies.slab.memory.buffer, lies.at, received).copy(whole)
        release(lies.slab)
        lies = undefined
      }
      piece.copy(whole, received)
    }
    received += piece.length
  }

  const read = attempt.until((/** @type {(read: { body: Buffer, slab?: Slab }) => void} */ done) => {
    const wrongLength = () => {
      if (!attempt.failure) attempt.fail(new Failure('BODY_LENGTH', { side: 'read', expected: bytes, found: received }))
    }
    const finish = () => {
      if (received !== bytes) return wrongLength()
      if (lies) done({ body: Buffer.from(lies.slab.memory.buffer, lies.at, bytes), slab: lies.slab })
      else done({ body: whole ?? Buffer.alloc(0) })
    }
    /** The source is not watched meanwhile. @param {number} ms */
    const wait = ms => {
      clearTimeout(early)
      source.pause()
      attempt.rest()
      const readOn = () => {
        early = undefined
        if (ended) return finish()
        attempt.watch('read', attempt.stallMs)
        source.resume()
      }
      early = setTimeout(readOn, Math.min(ms, MAX_TIMER_MS))
    }
    source.start({
      data(piece, slab) {
        if (attempt.failure) return
        if (received + piece.length > bytes) return wrongLength()
        keep(piece, slab)
        attempt.received(piece.length)
        attempt.moved('read')
        const waitMs = pace ? pace.take(piece.length) : 0
        if (waitMs > 0) wait(waitMs)
      },
      end() {
        ended = true
        if (!early) finish()
      },
    })
  })
  return read.catch(error => {
    clearTimeout(early)
    // Of large ones there are few.
    if (lies) release(lies.slab)
    throw error
  })
}

module.exports = { createWhole }
