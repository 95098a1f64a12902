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
/**
 * @typedef {object} Cause
 * @property {number} ms
 * @property {number} limitMs the limit, times how long it was one
 * @property {Map<number, number>} flights how long so many were in flight, in milliseconds
 * @property {number} left parts or objects, at most
 * @property {any} progress the last one
 */

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
  /** The last one. @type {any} */
  let last = { elapsedMs: 0 }

  /** @param {string} name @param {any} event @param {number} ms */
  function add(name, event, ms) {
    const { inFlight } = event
    const cause = causes.get(name) ?? { ms: 0, limitMs: 0, flights: new Map(), left: 0, progress: event }
    cause.ms += ms
    cause.limitMs += ms * (event.bound?.limit ?? inFlight)
    cause.flights.set(inFlight, (cause.flights.get(inFlight) ?? 0) + ms)
    cause.left = Math.max(cause.left, leftOf(event))
    cause.progress = event
    causes.set(name, cause)
  }

  /** What shows only later: how many containers there are, and how much of the bandwidth was used where a part is seen once it is done. */
  function judgeAgain() {
    const { ms = 0, limitMs = 0, progress } = causes.get('containers') ?? {}
    const most = ms > 0 ? Math.round(limitMs / ms) : Number.POSITIVE_INFINITY
    for (const cause of ['nothing', 'parts', 'objects', 'tail', 'places', 'concurrency'].map(name =>
      causes.get(name),
    )) {
      for (const [inFlight, ms] of cause?.flights ?? []) {
        if (!cause || inFlight <= most) continue
        cause.flights.delete(inFlight)
        cause.ms -= ms
        add('containers', progress, ms)
      }
    }
    const shared = causes.get('shared')
    const { bytesDone, resumedBytes, elapsedMs } = last
    if (shared && (bytesDone - resumedBytes) * 1000 >= USED_UP * plan.bandwidth * elapsedMs) {
      add('bandwidth', shared.progress, shared.ms)
    }
    for (const name of ['nothing', 'shared']) causes.delete(name)
  }

  return {
    /** @param {any} event `progress` or `throttle` */
    saw(event) {
      if (event.type === 'throttle') return void refused[event.store ?? 'platform']++
      const ms = Math.min(MOST_STEP_MS, Math.max(0, event.elapsedMs - last.elapsedMs))
      last = event
      peak = Math.max(peak, event.inFlight)
      add(causeOf(event, plan, peak) ?? 'nothing', event, ms)
    },

    /**
     * @param {{ coresUsed: number, elapsedMs?: number }} totals coresUsed: by this process, in the mean; elapsedMs: absent: until the last progress
     * @returns {HeldBack | undefined} undefined: nothing can be said
     */
    found({ coresUsed, elapsedMs = last.elapsedMs }) {
      if (elapsedMs < leastMs) return undefined
      judgeAgain()
      const busy = plan.runsOn === 'machine' && coresUsed >= USED_UP * cores
      const longest = [...causes].sort(([, one], [, other]) => other.ms - one.ms)[0]
      if (!busy && !(longest?.[1].ms >= LEAST_SHARE * elapsedMs)) return undefined
      /** @type {[string, Cause]} */
      const [name, cause] = busy
        ? ['cpu', { ms: (coresUsed / cores) * elapsedMs, limitMs: 0, flights: new Map(), left: 0, progress: {} }]
        : longest
      const { ms, limitMs, left, progress } = cause
      const percent = `${Math.min(100, Math.round((100 * ms) / elapsedMs))} %`
      const by = KINDS[name] ?? /** @type {HeldBack['by']} */ (name)
      // Of the last objects nobody knows whether they are of several parts.
      const smaller = (by === 'parts' ? meanBytes(plan, progress) : plan.partBytes) > LEAST_CHUNK
      const text = SENTENCES[name]({
        plan,
        progress,
        percent,
        smaller,
        share: `${percent} of the time`,
        cores: counted(cores, 'processor'),
        time: `${counted(Math.round(ms / 1000))} s of ${counted(Math.round(elapsedMs / 1000))} s`,
        limit: Math.max(1, Math.round(limitMs / ms)),
        left: `${left === 1 ? '' : `${counted(left)} `}of ${progress.objectsTotal === undefined ? counted(progress.partsTotal, 'part') : counted(progress.objectsTotal, 'object')}`,
        refusals: who => (refused[who] > 0 ? `refused ${counted(refused[who], 'request')} and ` : ''),
      })
      const option = OPTIONS[by] === 'chunk' && !smaller ? undefined : OPTIONS[by]
      return { by, message: `Held back by ${text}.`, ...(option && { option }) }
    },
  }
}

/** Of a part, or of an object of one request. @param {any} plan @param {any} progress @returns {number} */
function meanBytes({ partBytes }, { objectsTotal, bytesTotal }) {
  return objectsTotal === undefined ? partBytes : bytesTotal / objectsTotal
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
  // Where there is no platform, what it refuses are files and connections of this machine.
  const most = bound?.by === 'engine' || (bound?.by === 'platform' && runsOn !== 'platform')
  if (most) return { platform: 'places', machine: 'connections' }[/** @type {string} */ (runsOn)]
  if (bound?.by !== 'parts') return bound?.by
  const ofMany = 'objectsTotal' in progress
  // What was found has all its bytes: what is left waits for the last look.
  if (ofMany && progress.listing && bytesDone === progress.bytesTotal) return 'listing'
  // More are begun than are in flight: then other requests take the time. An invocation may carry many small objects.
  if (progress.growing || (ofMany && leftOf(progress) > 2 * Math.max(inFlight, bound.carried ?? 0))) return undefined
  if (ofMany && progress.listing) return 'listing'
  if (phase !== 'copying' || inFlight === 0) return undefined
  const slow = bytesPerSecond * elapsedMs < SLOW * (bytesDone - resumedBytes) * 1000
  if (2 * inFlight <= peak) return runsOn === 'platform' || slow ? 'tail' : undefined
  if (runsOn !== 'platform') return undefined
  if (bandwidth !== undefined) return 'shared'
  if (ofMany) return 'objects'
  const more = plan.concurrency === plan.parts && !(plan.limits?.concurrent <= plan.parts)
  return more && plan.partBytes > LEAST_CHUNK ? 'parts' : undefined
}

/** The kinds that are not causes by their own name, and the option that changes one. @type {Record<string, HeldBack['by']>} */
const KINDS = {
  platform: 'quota',
  containers: 'quota',
  places: 'quota',
  starts: 'quota',
  cpu: 'machine',
  connections: 'machine',
  objects: 'parts',
}
/** @type {Partial<Record<HeldBack['by'], HeldBack['option']>>} */
const OPTIONS = {
  source: 'concurrency',
  destination: 'concurrency',
  concurrency: 'concurrency',
  bandwidth: 'bandwidth',
  machine: 'engine',
  tail: 'chunk',
  parts: 'chunk',
}

/**
 * What the sentences are made of, numbers as texts.
 *
 * @typedef {object} HeldBackFacts
 * @property {any} plan
 * @property {any} progress the last one that had this cause
 * @property {string} percent
 * @property {string} share
 * @property {string} time
 * @property {string} cores
 * @property {number} limit invocations at once, the mean
 * @property {string} left parts or objects, and of how many
 * @property {(who: string) => string} refusals
 * @property {boolean} smaller whether the parts may be
 */

/** What follows `Held back by`. @type {Record<string, (facts: HeldBackFacts) => string>} */
const SENTENCES = {
  source: facts => `${facts.plan.source}: it ${ofStore('source', facts)}`,
  destination: facts => `${facts.plan.destination}: it ${ofStore('destination', facts)}`,
  platform: ({ refusals, limit, share }) =>
    `the platform: it ${refusals('platform')}ran about ${counted(limit)} at once for ${share}`,
  containers: ({ limit, share }) =>
    `the platform: it ran about ${counted(limit)} at once, and the others waited for a container, for ${share}`,
  places: ({ limit, share }) =>
    `the platform's quota: ${limit === 1 ? 'the only invocation at once was' : `all ${counted(limit)} invocations at once were`} at work for ${share}`,
  quota: ({ progress, share }) =>
    `the platform's quota: ${counted(progress.waiting?.perMinute, 'invocation')} a minute, used up for ${share}`,
  starts: ({ plan, share }) =>
    `the platform: it starts ${counted(plan.limits?.startsPerSecond, 'environment')} of the function a second, too few for ${share}`,
  bandwidth: ({ plan, share }) =>
    `--bandwidth: its ${counted(plan.bandwidth / 1024 ** 2)} MiB/s were in use for ${share}; a higher one allows more`,
  concurrency: ({ plan, limit, share }) =>
    `--concurrency ${limit}: that many were at work for ${share}; ${plan.limits?.concurrent ? `the platform allows ${counted(plan.limits.concurrent)}` : 'more may be faster'}`,
  connections: ({ limit, share }) =>
    `this machine: ${counted(limit)} at once, its most, ${limit === 1 ? 'was' : 'were'} at work for ${share}; functions (--engine) may be more`,
  cpu: ({ percent, cores }) => `this machine: xfer used ${percent} of ${cores}; functions (--engine) have their own`,
  machine: ({ limit, share }) =>
    `this machine's network, or a store: more than ${counted(limit)} at once were not faster, for ${share}; functions (--engine) have networks of their own`,
  tail: ({ left, time, smaller }) =>
    `the tail: the last ${left} ran alone for ${time}${smaller ? '; a smaller --chunk shortens it' : ''}`,
  parts: ({ plan: { parts }, share }) =>
    `the size of the parts: ${parts === 1 ? 'the only one was under way' : `all ${counted(parts)} were under way at once`} for ${share}; a smaller --chunk makes more`,
  objects: ({ limit, share, smaller }) =>
    `the objects: all that were left were under way at once, in about ${counted(limit, 'invocation')}, for ${share}${smaller ? '; a smaller --chunk copies them in parts' : ''}`,
  listing: ({ share }) => `listing and comparing: all that was found was copied, or under way, for ${share}`,
  assembling: ({ plan, time }) => `${plan.destination}: it put the parts together for ${time}`,
  retries: ({ share }) => `failures: all that was left waited for its next attempt for ${share}`,
  outage: ({ progress, time }) => `an outage: the ${progress.bound?.peer} did not answer for ${time}`,
}

/** @param {'source' | 'destination'} side @param {HeldBackFacts} facts */
function ofStore(side, { refusals, limit, share }) {
  return `${refusals(side)}allowed about ${counted(limit)} at once for ${share}; --concurrency ${limit} asks it less`
}

/** @param {number | undefined} many absent: not known @param {string} [noun] */
function counted(many, noun) {
  const text = many === undefined ? 'its' : many.toLocaleString('en-US', { maximumFractionDigits: 2 })
  return noun === undefined ? text : `${text} ${noun}${many === 1 ? '' : 's'}`
}

module.exports = { createHeldBack }
