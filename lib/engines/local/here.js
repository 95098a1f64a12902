'use strict'

/**
 * Copies in the thread that it is called in: in the main one, and in each of worker.js. It runs the action for parts. It
 * copies whole objects itself where the write of a task is made late: all bytes are read first, and then the write is
 * made, with what the read has told and with the checksum of the bytes in a header.
 */

const { closeConnections, main } = require('../../../actions/copy-range')
const { ANY_HOST } = require('../../../actions/copy-range/address-guard')
const { createPace } = require('../../../actions/copy-range/attempt')
const { sumsIn } = require('../../../actions/copy-range/answers')
const { openExchange, openRead, outcomeOf, pump } = require('../../../actions/copy-range/copy')
const { Failure } = require('../../../actions/copy-range/failure')
const { requestOf } = require('../../../actions/copy-range/transport')
const { release } = require('../../../actions/copy-range/slab')
const { sumsOf } = require('../../../actions/copy-range/sums')
const { createSemaphore, createShared, eachAtOnce, onAbort } = require('../../async')
const { proxyOfRequest } = require('../../http')
const { LOCAL } = require('./transports')

/** @typedef {import('../../types').Task & { late: import('../../types').Late }} LateTask */
/** @typedef {import('../../types').Outcome} Outcome */
/** @typedef {import('../../types').Sum} Sum */

/** @typedef {InstanceType<typeof import('../../../actions/copy-range/attempt').Attempt>} Running an attempt */
/** @typedef {import('../../../actions/copy-range/slab').Slab} Slab */
/** @typedef {import('../../../actions/copy-range/net').Reach} Reach */

/**
 * @typedef {object} CopyRules
 * @property {(request: import('../../types').DataRequest) => Reach} reachOf with the proxy of the request, if it has one
 * @property {number} stallMs how long a connection may be silent
 * @property {import('../../../actions/copy-range/attempt').Pace} [pace]
 * @property {import('../../../actions/copy-range/transport').LocalTransports} local
 */

/** How long a connection may be silent where nothing is said. */
const STALL_MS = 30_000
/** The bytes that all tasks of this thread hold at once; a larger object is held alone. */
const MOST_HELD = 64 * 1024 * 1024
const memory = createSemaphore(MOST_HELD)

/** @param {Pick<CopyRules, 'pace' | 'local'> & { ca?: string, stallMs?: number, proxyOf?: typeof proxyOfRequest }} how proxyOf: of a request; '': none */
function createWhole({ ca, stallMs = STALL_MS, pace, local, proxyOf = proxyOfRequest }) {
  const reachOf = reachesBy(ca, proxyOf)

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
        /** @type {Parameters<typeof copyOnce>[2]} */
        const options = { stallMs, reach: reachOf(task.read), reachOf, pace, local, running }
        const entered = memory.enter(task.bytes)
        if (entered) await entered
        if (signal.aborted) options.refuse = 'CANCELLED'
        outcomes[index] = await outcomeOf(task, options, copyOnce)
        memory.leave(task.bytes)
      })
    } finally {
      forget()
    }
    return outcomes
  }
}

/** By certificates and proxy. All jobs of this process have them: routes are kept by the reach. @type {Map<string | undefined, Map<string, Reach>>} */
const allReaches = new Map()
const MOST_CERTIFICATES = 10

/**
 * Which proxy a request takes is decided by the environment of the job, not by that of this process: `proxies` is never absent.
 *
 * @param {string | undefined} ca
 * @param {typeof proxyOfRequest} proxyOf
 * @returns {CopyRules['reachOf']}
 */
function reachesBy(ca, proxyOf) {
  const reaches = allReaches.get(ca) ?? new Map()
  if (allReaches.size >= MOST_CERTIFICATES) allReaches.clear()
  allReaches.set(ca, reaches)
  return request => {
    const proxy = proxyOf(request)
    // What this machine reaches is for its user to say.
    const reach = reaches.get(proxy) ?? { access: ANY_HOST, ca, proxies: { read: proxy, write: proxy } }
    reaches.set(proxy, reach)
    return reach
  }
}

/**
 * @param {LateTask} task
 * @param {Running} attempt
 * @param {Pick<import('../../../actions/copy-range/copy').Options, 'reach' | 'running' | 'refuse'> & CopyRules} how
 * @throws {Failure}
 */
async function copyOnce({ partNumber, bytes, expect, read, late }, attempt, { reachOf, pace, local }) {
  const asked = requestOf(read, read.accepts, local)
  const work = { partNumber, bytes, start: 0, sums: [], tell: true, expect, read: asked }
  const { source } = await openRead(work, attempt)
  const firstByteMs = performance.now()
  const { body, slab } = await readAll(source, work, attempt, pace)
  try {
    // Neither side is waited for meanwhile.
    attempt.rest()
    const headers = /** @type {Record<string, string>} */ (source.headers)
    const kept = sumsIn(headers, read.accepts.checksums)
    // New credentials may have to be waited for.
    const made = await attempt.until(done => {
      const failed = (/** @type {unknown} */ known) => attempt.fail(Object.assign(new Failure('INTERNAL'), { known }))
      late({ headers, kept, digest: kinds => sumsOf(kinds, body) }).then(done, failed)
    })
    if (attempt.failure) throw attempt.failure
    const { sums, expect: wanted = {} } = made
    for (const sum of /** @type {Sum[]} */ (Object.keys(sums))) {
      if (wanted[sum] === undefined || wanted[sum] === sums[sum]) continue
      throw new Failure('SUM_MISMATCH', { side: 'read', sum, expected: wanted[sum], found: sums[sum] })
    }
    const target = requestOf(made.write, made.write.accepts, local)
    const write = await openExchange('write', target, attempt, reachOf(made.write))
    if (bytes > 0) write.write(body, slab)
    write.end()
    const { etag, headers: written = {} } = await write.written()
    return {
      firstByteMs,
      etag,
      sums,
      headers: { read: headers, write: /** @type {Record<string, string>} */ (written) },
    }
  } finally {
    if (slab) release(slab)
  }
}

/**
 * All of a body. Mostly it lies in one slab already, where its connection has put it.
 *
 * @param {import('../../../actions/copy-range/transport').Answer} source
 * @param {import('../../../actions/copy-range/task').Work} work
 * @param {Running} attempt
 * @param {CopyRules['pace']} pace
 * @returns {Promise<{ body: Buffer, slab?: Slab }>} slab: where it is, held; to be released
 * @throws {Failure} BODY_LENGTH, or what else ends the attempt
 */
async function readAll(source, work, attempt, pace) {
  const { bytes } = work
  let received = 0
  /** Where all that was received lies in one piece. @type {{ slab: Slab, at: number } | undefined} */
  let lies
  /** Where it is copied to if it does not. @type {Buffer | undefined} */
  let whole

  /** @param {Buffer} piece behind what was received @param {Slab} [slab] where it is */
  function write(piece, slab) {
    if (!whole && slab && received === 0) {
      slab.users++
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
    return true
  }

  function wrongLength() {
    attempt.fail(new Failure('BODY_LENGTH', { side: 'read', expected: bytes, found: received }))
  }

  /** Without a rate there is nothing to wait for, and of small objects there are many. @param {(read: void) => void} done */
  function start(done) {
    source.body.start({
      data(piece, slab) {
        if (attempt.failure) return
        if (received + piece.length > bytes) return wrongLength()
        write(piece, slab)
        attempt.received(piece.length)
      },
      end() {
        // If the body broke off, the attempt has failed already.
        if (attempt.failure) return
        if (received === bytes) done()
        else wrongLength()
      },
    })
  }

  try {
    if (pace) {
      await pump(source, { write, end() {}, listen() {} }, work, attempt, { pace })
    } else await attempt.until(start)
  } catch (error) {
    if (lies) release(lies.slab)
    throw error
  }
  if (lies) return { body: Buffer.from(lies.slab.memory.buffer, lies.at, bytes), slab: lies.slab }
  return { body: whole ?? Buffer.alloc(0) }
}

/** The connections of this thread. */
const connections = createShared(closeConnections)

/** @param {{ ca?: string, pace?: { bytesPerSecond: number, memory: SharedArrayBuffer } }} shared by all threads */
function runsHere({ ca, pace: shared }) {
  const pace = shared && createPace({ ...shared, nowNs: process.hrtime.bigint })
  const { leave } = connections.take('', () => undefined)
  const common = { ca, pace, local: LOCAL }
  // Which proxy a request takes is decided by the environment of the job, not by that of this process: so `proxies` is not absent.
  return {
    /**
     * @param {unknown} params of the action
     * @param {{ signal: AbortSignal, onBytes?: import('../../../actions/copy-range/copy').OnBytes, proxies: import('../../../actions/copy-range').Proxies }} how
     */
    run: (params, how) => main(params, { ...how, ...common }),

    /** Tasks whose write is made late. @param {{ stallMs?: number, proxyOf?: (request?: { url: string }) => string }} how */
    whole: how => createWhole({ ...how, ...common }),

    close: leave,
  }
}

module.exports = { createWhole, runsHere }
