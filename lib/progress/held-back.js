'use strict'

/**
 * What held a copy back, in one sentence: from its events, of which `progress` tells twice a second what keeps more from
 * starting (`bound`). Nothing is said that these numbers do not show. Pure.
 */

/** A shorter copy is not judged, */
const LEAST_MS = 5_000
/** nor a cause that took less than this share of the time. */
const LEAST_SHARE = 0.15
/** What lies between two events counts for so long at most: more was not watched. */
const MOST_STEP_MS = 1_000
/** The bandwidth counts as used up from this share on, and so do the processors. */
const USED_UP = 0.8
/** On this machine the last parts are a tail only if they move less than this share of the mean rate: few connections may fill a network. */
const SLOW = 0.7
/** The least of `--chunk`. */
const LEAST_CHUNK = 5 * 1024 ** 2

/** @typedef {import('../types').HeldBack} HeldBack */
/** @typedef {{ ms: number, limitMs: number, left: number, progress: any }} Cause limitMs: the limit, times how long it was one; left: parts or objects, at most; progress: the last one */
/** @typedef {{ plan: any, refused: Record<string, number>, elapsedMs: number, cause: Cause }} Facts */

/**
 * @param {any} plan the event
 * @param {{ cores: number, leastMs?: number }} how
 */
function createHeldBack(plan, { cores, leastMs = LEAST_MS }) {
  /** @type {Map<string, Cause>} */
  const causes = new Map()
  /** @type {Record<string, number>} */
  const refused = { source: 0, destination: 0, platform: 0 }
  let peak = 0
  let lastMs = 0

  return {
    /** @param {any} event `progress` or `throttle` */
    saw(event) {
      if (event.type === 'throttle') return void refused[event.store ?? 'platform']++
      const ms = Math.min(MOST_STEP_MS, Math.max(0, event.elapsedMs - lastMs))
      lastMs = event.elapsedMs
      peak = Math.max(peak, event.inFlight)
      const by = causeOf(event, plan, peak)
      if (by === undefined) return
      const { ms: before, limitMs, left } = causes.get(by) ?? { ms: 0, limitMs: 0, left: 0 }
      const limit = limitMs + ms * (event.bound?.limit ?? 0)
      causes.set(by, { ms: before + ms, limitMs: limit, left: Math.max(left, leftOf(event)), progress: event })
    },

    /**
     * @param {{ cpuMs: number, elapsedMs?: number }} totals cpuMs: of this process; elapsedMs: absent: until the last progress
     * @returns {HeldBack | undefined} undefined: nothing can be said
     */
    found({ cpuMs, elapsedMs = lastMs }) {
      if (elapsedMs < leastMs) return undefined
      if (plan.runsOn === 'machine' && cpuMs >= USED_UP * cores * elapsedMs) {
        const message = `Held back by this machine's processors: this process used ${percent(cpuMs / cores, elapsedMs)} of ${counted(cores, 'processor')}; functions (--engine) have their own.`
        return { by: 'machine', message, option: 'engine' }
      }
      const [top] = [...causes].sort(([, one], [, other]) => other.ms - one.ms)
      if (!top || top[1].ms < LEAST_SHARE * elapsedMs) return undefined
      const { by, option, text } = SENTENCES[top[0]]({ plan, refused, elapsedMs, cause: top[1] })
      return { by, message: `Held back by ${text}.`, ...(option && { option }) }
    },
  }
}

/** Objects or parts that are not done. @param {any} progress */
function leftOf({ objectsTotal, objectsDone, objectsFailed, partsTotal, partsDone }) {
  return objectsTotal === undefined ? partsTotal - partsDone : objectsTotal - objectsDone - objectsFailed
}

/** @param {any} progress @param {any} plan @param {number} peak the most that were in flight @returns {string | undefined} a key of SENTENCES */
function causeOf(progress, plan, peak) {
  const { phase, bound, inFlight, bytesPerSecond, bytesDone, resumedBytes, elapsedMs } = progress
  const { bandwidth, runsOn } = plan
  if (phase === 'assembling') return phase
  if (bandwidth !== undefined && bytesPerSecond >= USED_UP * bandwidth) return 'bandwidth'
  // With a limit of the bandwidth fewer may be at once than were asked for.
  if (bandwidth !== undefined && bound?.by === 'concurrency') return undefined
  // A store that copies by itself has no limit that anybody knows.
  if (bound?.by === 'engine' && runsOn === 'store') return undefined
  if (bound?.by !== 'parts') return bound?.by
  const ofMany = 'objectsTotal' in progress
  // More are begun than are in flight: then other requests take the time.
  if (progress.growing || (ofMany && leftOf(progress) > 2 * inFlight)) return undefined
  if (ofMany && progress.listing) return 'listing'
  if (phase !== 'copying' || inFlight === 0) return undefined
  const slow = bytesPerSecond * elapsedMs < SLOW * (bytesDone - resumedBytes) * 1000
  if (2 * inFlight <= peak) return runsOn === 'platform' || slow ? 'tail' : undefined
  const more = runsOn === 'platform' && plan.concurrency === plan.parts && !(plan.limits?.concurrent <= plan.parts)
  return more && plan.partBytes > LEAST_CHUNK ? 'parts' : undefined
}

/** What follows `Held back by`. @type {Record<string, (facts: Facts) => { by: HeldBack['by'], option?: HeldBack['option'], text: string }>} */
const SENTENCES = {
  source: facts => byStore('source', facts),
  destination: facts => byStore('destination', facts),
  platform: facts => {
    const text = `the platform: it ${refusals(facts.refused.platform)}ran about ${counted(limitOf(facts), 'invocation')} at once for ${shareOf(facts)}`
    return { by: 'quota', text }
  },
  engine: facts => {
    const limit = limitOf(facts).toLocaleString('en-US')
    const text = `its quota: all ${limit} invocations that it allows at once were at work for ${shareOf(facts)}`
    if (facts.plan.runsOn === 'platform') return { by: 'quota', text: `the platform: ${text}` }
    return {
      by: 'machine',
      option: 'engine',
      text: `this machine: all ${limit} copies at once, its most, were at work for ${shareOf(facts)}; functions (--engine) may be more`,
    }
  },
  quota: facts => {
    const { perMinute } = facts.cause.progress.waiting ?? {}
    const quota = perMinute === undefined ? 'its invocations' : `its ${counted(perMinute, 'invocation')}`
    return { by: 'quota', text: `the platform's quota: ${quota} a minute were used up for ${shareOf(facts)}` }
  },
  starts: facts => {
    const { startsPerSecond } = facts.plan.limits
    const text = `the platform: it starts ${counted(startsPerSecond, 'environment')} of the function a second, which was waited for ${shareOf(facts)}`
    return { by: 'quota', text }
  },
  bandwidth: facts => {
    const rate = (facts.plan.bandwidth / 1024 ** 2).toLocaleString('en-US', { maximumFractionDigits: 2 })
    const text = `--bandwidth: its ${rate} MiB/s were in use for ${shareOf(facts)}; a higher one allows more`
    return { by: 'bandwidth', option: 'bandwidth', text }
  },
  concurrency: facts => {
    const { concurrent } = facts.plan.limits ?? {}
    const more = concurrent === undefined ? 'more may be faster' : `the platform allows ${counted(concurrent, '')}`
    const limit = limitOf(facts).toLocaleString('en-US')
    const text = `--concurrency ${limit}: as many were at work for ${shareOf(facts)}; ${more}`
    return { by: 'concurrency', option: 'concurrency', text }
  },
  machine: facts => {
    const text = `this machine's way to the stores: more than ${limitOf(facts)} at once were not faster, for ${shareOf(facts)}; functions (--engine) have networks of their own`
    return { by: 'machine', option: 'engine', text }
  },
  tail: facts => {
    const { plan, cause } = facts
    const { objectsTotal, partsTotal } = cause.progress
    const all = objectsTotal === undefined ? counted(partsTotal, 'part') : counted(objectsTotal, 'object')
    const smaller = objectsTotal === undefined && plan.partBytes > LEAST_CHUNK
    const text = `the tail: the last ${cause.left.toLocaleString('en-US')} of ${all} ran alone for ${secondsOf(facts)}${smaller ? '; a smaller --chunk shortens it' : ''}`
    return { by: 'tail', ...(smaller && { option: 'chunk' }), text }
  },
  parts: facts => {
    const text = `the size of the parts: ${counted(facts.plan.parts, 'part')} were all that could be under way for ${shareOf(facts)}; a smaller --chunk makes more`
    return { by: 'parts', option: 'chunk', text }
  },
  listing: facts => {
    const text = `listing and comparing: what was found was copied, or under way, for ${shareOf(facts)}`
    return { by: 'listing', text }
  },
  assembling: facts => {
    const { partsAssembling = 0 } = facts.cause.progress
    const parts = partsAssembling > 0 ? counted(partsAssembling, 'part') : 'the parts'
    return { by: 'assembling', text: `${facts.plan.destination}: it put ${parts} together for ${secondsOf(facts)}` }
  },
  retries: facts => ({
    by: 'retries',
    text: `failures: all that was left waited for its next attempt for ${shareOf(facts)}`,
  }),
  outage: facts => {
    const peer = facts.cause.progress.bound?.peer
    return { by: 'outage', text: `an outage: the ${peer} did not answer for ${secondsOf(facts)}` }
  },
}

/** @param {'source' | 'destination'} side @param {Facts} facts */
function byStore(side, facts) {
  const limit = limitOf(facts).toLocaleString('en-US')
  const text = `${facts.plan[side]}: it ${refusals(facts.refused[side])}allowed about ${limit} at once for ${shareOf(facts)}; --concurrency ${limitOf(facts)} asks it less`
  return { by: side, option: /** @type {const} */ ('concurrency'), text }
}

/** @param {number} many */
const refusals = many => (many > 0 ? `refused ${counted(many, 'request')} and ` : '')
/** The mean. @param {Facts} facts */
const limitOf = ({ cause: { ms, limitMs } }) => Math.max(1, Math.round(limitMs / ms))
/** @param {Facts} facts */
const shareOf = ({ cause: { ms }, elapsedMs }) => `${percent(ms, elapsedMs)} of the time`
/** @param {Facts} facts */
const secondsOf = ({ cause: { ms }, elapsedMs }) => `${seconds(ms)} of ${seconds(elapsedMs)}`
/** @param {number} ms */
const seconds = ms => `${Math.round(ms / 1000).toLocaleString('en-US')} s`
/** @param {number} some @param {number} all */
const percent = (some, all) => `${Math.min(100, Math.round((100 * some) / all))} %`
/** @param {number} many @param {string} noun */
const counted = (many, noun) => `${many.toLocaleString('en-US')} ${noun}${noun && many !== 1 ? 's' : ''}`.trimEnd()

module.exports = { createHeldBack }
