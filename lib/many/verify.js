'use strict'

/**
 * The comparison of two prefixes: list both sides → compare each pair of objects by what proves it cheapest → count. The
 * lists are walked while pairs are compared, with a limited number of pairs in flight. Nothing is written.
 */

const { XferError, asXferError, throwIfAborted } = require('../errors')
const { acceptGone } = require('../destination')
const { compareStored } = require('../integrity')
const { walk } = require('../listing')
const { notice } = require('../notices')
const { reportProgress } = require('../progress')
const { readNames } = require('./select')
const { compareByReading, proveByMd5, proveByStored, rangesToRead, sideOf } = require('../verify')
const { isOneSided, placeOf, unreadable } = require('./keys')
const { namedSteps } = require('./named')
const { announce, createAhead, createNotifyOnce, isOfAll, spentOf } = require('./report')
const { judgeNothing, readSelection, tellUnmatched, unmatchedOf } = require('./selection')
const { createPairTally } = require('./tally')
const { createInFlight, createWays } = require('./writers')

/** @typedef {import('../types').Pair} Pair */
/** @typedef {import('../verify/compare').ComparedSide} ComparedSide */
/** @typedef {import('../types').PrefixVerification} PrefixVerification */
/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').XferError} XferError */

/** How pairs of two stores are proved. */
const BY_STORES = {
  prove: async (/** @type {ComparedSide[]} */ sides, /** @type {AbortSignal | undefined} */ signal) =>
    (await proveByStored(sides, signal))?.method,
  split: rangesToRead,
  read: compareByReading,
}

/**
 * What a destination is compared with in place of a source. steps: what it has, and what the destination has besides; pairs are
 * looked up at the destination alone. The others as of `BY_STORES`.
 *
 * @typedef {{ [K in keyof typeof BY_STORES]: (...given: any[]) => any } & { steps: (job: Job) => AsyncIterable<any> }} Instead
 */

/**
 * @param {Job} job without a journal
 * @param {import('../types').VerifyPrefixOptions} options
 * @param {Instead} [instead]
 * @returns {Promise<PrefixVerification>} everything is equal
 * @throws {XferError} OBJECTS_DIFFER, OBJECTS_FAILED, NOTHING_FOUND; any error that ends a job. Its facts have the counts
 *   (`pairs`, `methods`)
 */
async function compareObjects(job, options, instead) {
  const startMs = Date.now()
  const tally = createPairTally({ startMs })
  const report = reportProgress(job.run, tally.at)
  job.run.watchedBy(report.saw)
  try {
    const unmatched = await compareAll(job, options, { tally, report, startMs, instead })
    const { counts: pairs } = tally
    const places = { source: job.source.text, destination: job.destination.text }
    const facts = { ...places, pairs, ...tally.names(), ...(instead && { what: 'The manifest' }) }
    if (pairs.differing + pairs.missing + pairs.extra > 0) throw new XferError('OBJECTS_DIFFER', facts)
    if (pairs.failed > 0) {
      const objects = { failed: pairs.failed, chosen: pairs.listed }
      throw new XferError('OBJECTS_FAILED', { ...facts, objects, verb: 'compared' })
    }
    return {
      recursive: 'verify',
      ...places,
      engine: job.engine.name,
      ...tally.found(),
      bytes: tally.bytes.equal,
      readBytes: tally.bytes.read,
      ...(unmatched.length > 0 && { unmatched }),
      ...spentOf(report, startMs, tally.bytes.read),
    }
  } catch (cause) {
    const error = asXferError(cause)
    error.facts = { ...error.facts, ...tally.found() }
    throw error
  } finally {
    report.tell()
    report.stop()
  }
}

/**
 * @param {Job} job
 * @param {import('../types').VerifyPrefixOptions} options
 * @param {{ tally: ReturnType<typeof createPairTally>, report: ReturnType<typeof reportProgress>, startMs: number, instead?: Instead }} watch
 */
async function compareAll(job, options, { tally, report, startMs, instead }) {
  const { oneWay = false } = options
  const selection = readSelection({ ...options, recursive: 'sync' }, { ...job, now: () => startMs })
  const { filesFrom, nul, skips } = selection
  const { source, destination } = job
  const { emit, end } = job.run
  const cancel = /** @type {AbortSignal} */ (job.run.cancel)
  const notify = createNotifyOnce(emit)
  announce(job, selection, { why: job.why, concurrency: job.settings.concurrency }, { recursive: 'verify' })
  const ways = createWays(job, report)
  /** What ended the comparison. @type {XferError | undefined} */
  let fatal
  // The one line of a manifest of one object has no name, and is no mark of a folder.
  const isMark = (/** @type {Pair} */ pair) => !(instead && pair.name === '') && isOneSided(pair, job)
  const leavesOut = (/** @type {Pair} */ pair) => selection.judge(pair).filtered || isMark(pair)
  /** Whether only the destination has it, which is accepted. @param {Pair} pair */
  const isExtra = pair => oneWay && !pair.source
  const sizeAhead = (/** @type {Pair} */ pair) => (leavesOut(pair) || isExtra(pair) ? undefined : sizeOf(pair))
  const ahead = createAhead({ source, destination, skips }, sizeAhead, tally.ahead)
  // A file of names is not read twice.
  const onWait = () => filesFrom || instead || ahead.start()
  const pairs = createPairs({ job, ways, options: { ...options, filesFrom }, tally, fail, notify, onWait, instead })
  const listed = () =>
    filesFrom
      ? namedSteps({ job, names: readNames(filesFrom, { nul }), compares: true })
      : walk({ source, destination, skips, signal: cancel })
  const steps = instead ? instead.steps(job) : listed()
  try {
    for await (const step of steps) {
      throwIfAborted(cancel)
      if (step.type === 'odd') odd(step)
      else if (step.type === 'end') unproved(step)
      else if (step.type === 'pairs') for (const pair of step.pairs) await take(pair)
    }
    await ahead.end()
    tally.listingEnded()
    for (const { store } of [source, destination]) for (const left of store.notices?.() ?? []) notify(left)
    await pairs.ended()
    throwIfAborted(cancel)
    if (instead) return []
    const { listed, filtered, failed } = tally.counts
    const all = listed + filtered
    const unmatched = tellUnmatched(job.run, unmatchedOf(selection, { listed: all, failed }))
    // Nothing that was compared is no proof.
    const none = all > 0 ? { destination: destination.text, leftOut: all } : filesFrom !== undefined && { filesFrom }
    if (listed === 0 && none) throw new XferError('NOTHING_FOUND', { source: source.text, ...none })
    if (all === 0) await judgeNothing(job, selection)
    return unmatched
  } catch (error) {
    end(error)
    await pairs.ended()
    throw fatal ?? error
  } finally {
    await ahead.end()
    await ways.end()
    await ways.settle()
  }

  /**
   * A pair that could not be compared. An error that all of them would meet ends the comparison.
   *
   * @param {string} name
   * @param {XferError} error
   * @param {number} bytes as they were listed
   */
  function fail(name, error, bytes) {
    // A pair that was ended with the job has not failed.
    if (cancel.aborted) return
    if (isOfAll(error)) {
      fatal = error
      end(error)
      return
    }
    const { code, message, hint } = error
    tally.unequal('failed', name, bytes, Date.now())
    emit({ type: 'failure', name, code, message, hint })
  }

  /** @param {string} name @param {XferError} error @param {number} [bytes] */
  function failListed(name, error, bytes = 0) {
    tally.listed(bytes)
    fail(name, error, bytes)
  }

  /** @param {import('./named').NamedPair} pair */
  async function take(pair) {
    throwIfAborted(cancel)
    if (pair.error) return failListed(pair.name, pair.error)
    if (leavesOut(pair)) tally.counts.filtered++
    else if (!isExtra(pair)) {
      tally.listed(sizeOf(pair))
      await pairs.begin(pair)
    }
  }

  /** An object that is listed under a wrong key, or cannot be listed. @param {import('../types').OddStep} listed */
  function odd({ side, name, object }) {
    if (selection.judge({ name, [side]: object }).filtered) tally.counts.filtered++
    else if (side === 'source' || !oneWay) failListed(name, unreadable(job[side].store, object), object.bytes)
  }

  /** @param {import('../types').EndStep} step */
  function unproved({ unproved: lacks = {} }) {
    for (const [side, fields] of Object.entries(lacks)) {
      const { text: location } = job[/** @type {'source' | 'destination'} */ (side)]
      notify(notice('LISTING_NOT_PROVED', { location, lacks: fields.join(', ') }))
    }
  }
}

/**
 * The pairs in flight: each is proved equal by what is cheapest: what the lists tell, what both stores keep, or reading.
 * Outcomes go to the tally, and are events.
 *
 * @param {object} how
 * @param {Job} how.job of the prefixes
 * @param {ReturnType<typeof createWays>} how.ways its engine is opened when the first pair has to be read
 * @param {import('../types').VerifyPrefixOptions} how.options
 * @param {ReturnType<typeof createPairTally>} how.tally
 * @param {(name: string, error: XferError, bytes: number) => void} how.fail a pair could not be compared
 * @param {(notice: import('../types').Notice) => void} how.notify of what applies to many pairs
 * @param {() => void} how.onWait called when a pair has to wait for others
 * @param {Instead} [how.instead]
 */
function createPairs({ job, ways, options, tally, fail, notify, onWait, instead }) {
  const { read: reads = false, oneWay, filesFrom } = options
  const by = instead ?? BY_STORES
  const { source, destination, settings } = job
  const { cancel: signal, emit } = job.run
  const inFlight = createInFlight({ concurrency: settings.concurrency, server: false, onWait })

  /**
   * @param {Pair} pair
   * @param {'missing' | 'extra' | 'differing'} as
   * @param {Pick<import('../types').DifferenceEvent, 'why' | 'reason' | 'start' | 'end'>} [shown]
   */
  function unequal(pair, as, shown) {
    const { name, source: from, destination: to } = pair
    tally.unequal(as, name, sizeOf(pair), Date.now())
    emit({
      type: 'difference',
      name,
      found: as === 'differing' ? 'differs' : as,
      ...(from && { bytes: from.bytes }),
      ...(to && { bytesThere: to.bytes }),
      ...shown,
    })
  }

  /** @param {string} name @param {import('../types').PairMethod} method what proves it @param {number} bytes */
  function equal(name, method, bytes) {
    tally.equal(method, bytes, Date.now())
    emit({ type: 'equal', name, bytes, method })
  }

  /** What shows without a checksum that the pair is unequal. @param {Pair} pair @returns {boolean} whether it is done */
  function differs(pair) {
    const { source: from, destination: to } = pair
    if (from && to && from.bytes === to.bytes) return false
    if (from && to) unequal(pair, 'differing', { why: 'size' })
    else if (from) unequal(pair, 'missing')
    else if (to && !oneWay) unequal(pair, 'extra')
    else tally.gone(sizeOf(pair))
    return true
  }

  /** @param {Pair} pair @param {unknown} cause */
  function fails(pair, cause) {
    const error = asXferError(cause)
    if (error.code !== 'OBJECTS_DIFFER') return fail(pair.name, error, sizeOf(pair))
    const { by = 'damaged', reason = error.message, start, end } = error.facts
    unequal(pair, 'differing', { why: by, reason, ...(start !== undefined && { start, end }) })
  }

  /** What the lists prove. @param {Pair} pair @returns {import('../types').PairMethod | undefined} undefined: nothing */
  function provedByLists({ name, source: from, destination: to }) {
    if (!from || !to || from.bytes !== to.bytes) return undefined
    if (from.bytes === 0) return 'empty'
    const sides = [listedSide(source, name, from), listedSide(destination, name, to)]
    const proof = compareStored(sides[0].object, sides[1].object)
    // Parts of other sizes: what the lists tell is looked at again with what HEAD tells.
    return proof && !proof.layout ? proof.method : proveByMd5(sides, notify)?.method
  }

  /** @param {Pair} pair @param {ComparedSide[]} sides of equal size @param {ReturnType<typeof rangesToRead>} split */
  async function read(pair, sides, split) {
    const [{ object }] = sides
    const way = await ways.engine()
    tally.bytes.toRead += object.bytes * split.toRead.length
    /** @type {Job['run']['emit']} */
    const tell = event => {
      if (event.type === 'part') tally.read(event.bytes, Date.now())
      else if (event.type === 'notice') notify(event)
      else emit(/** @type {import('../types').JobEvent} */ ({ ...event, name: pair.name }))
    }
    await by.read(way, { sides, split, emit: tell })
    equal(pair.name, 'read', object.bytes)
  }

  /** @param {Pair} listed it counts in `inFlight.compared` */
  async function compare(listed) {
    const { name } = listed
    /** As both stores tell it. */
    let pair = listed
    let [limit, size] = [inFlight.compared, 1]
    try {
      const ask = (/** @type {Job['source']} */ { store, key }) => store.head(key + name, { signal }).catch(acceptGone)
      /** @type {Array<Promise<any>>} */
      const heads = [instead ? Promise.resolve(listed.source) : ask(source), ask(destination)]
      // Waits for both, then throws the first failure.
      await Promise.allSettled(heads)
      const [from, to] = await Promise.all(heads)
      if (!from && !to) return tally.gone(sizeOf(listed))
      pair = {
        name,
        source: from && { key: source.key + name, ...from },
        destination: to && { key: destination.key + name, ...to },
      }
      if (differs(pair) || !from || !to) return
      const sides = [sideOf(placeOf(source, name), from), sideOf(placeOf(destination, name), to)]
      const proof = reads ? undefined : ((await by.prove(sides, signal)) ?? proveByMd5(sides, notify)?.method)
      if (proof) return equal(name, proof, from.bytes)
      const split = by.split(sides, settings.chunkBytes, { both: reads })
      const many = split.ranges.length
      const next = many === 1 ? inFlight.small : inFlight.parts
      await next.enter(many)
      limit.leave(size)
      limit = next
      size = many
      await read(pair, sides, split)
    } catch (cause) {
      fails(pair, cause)
    } finally {
      limit.leave(size)
    }
  }

  return {
    /** Resolves once the limits let the pair in. @param {Pair} pair */
    async begin(pair) {
      const proved = reads || instead ? undefined : provedByLists(pair)
      if (proved) return equal(pair.name, proved, sizeOf(pair))
      // A side of which all is listed is known not to have what it does not list.
      if (!filesFrom && !instead && differs(pair)) return
      await inFlight.compared.enter(1)
      void compare(pair)
    },

    /** Resolves once nothing is in flight. */
    ended: inFlight.idle,
  }
}

/** @param {Pick<Pair, 'source' | 'destination'>} pair */
function sizeOf({ source, destination }) {
  return (source ?? destination)?.bytes ?? 0
}

/** An object as the list tells it. @param {Job['source']} side @param {string} name @param {import('../types').ListedObject} listed @returns {ComparedSide} */
function listedSide(side, name, listed) {
  return sideOf(placeOf(side, name), { ...listed, metadata: listed.metadata ?? { headers: {}, user: {} } })
}

module.exports = { compareObjects }
