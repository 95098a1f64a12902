'use strict'

/** What a job uses: requests to its stores by kind, bytes that leave them, and what its functions took. */

/** @typedef {import('../types').Task} Task */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('../types').JobUsage} Usage */

const GiB = 1024 ** 3

/** Not a file, memory or Redis. @param {import('../types').DataRequest} request */
const isHttp = ({ url }) => url.startsWith('http')

/** What a function tells is a number, or nothing. @param {unknown} value */
const countOf = value => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0)

/**
 * What a task has sent. What nobody tells is assumed: a task whose answer nobody waited for was done.
 *
 * @param {Task} task
 * @param {Outcome | undefined} outcome
 * @returns {import('../types').Sent}
 */
function sentBy({ write, bytes }, outcome) {
  if (outcome?.sent) {
    const { reads, writes, bytes: read } = outcome.sent
    return { reads: countOf(reads), writes: countOf(writes), bytes: countOf(read) }
  }
  const failed = outcome && 'error' in outcome
  const writes = write && !(failed && outcome.error.side === 'read') ? 1 : 0
  return { reads: 1, writes, bytes: failed ? 0 : bytes }
}

/** @param {Outcome[] | undefined} outcomes @param {number} elapsedMs @returns {number} how long the function ran, as far as it tells */
function ranMs(outcomes, elapsedMs) {
  let [from, to] = [Number.POSITIVE_INFINITY, 0]
  for (const outcome of outcomes ?? []) {
    if (!('timing' in outcome)) continue
    const { startedAtMs, totalMs } = outcome.timing
    from = Math.min(from, startedAtMs)
    to = Math.max(to, startedAtMs + totalMs)
  }
  return to > from ? Math.min(to - from, elapsedMs) : elapsedMs
}

function createUsage() {
  /** @type {Partial<Record<'source' | 'destination', import('../types').Store>>} */
  const stores = {}
  const reads = { source: 0, destination: 0 }
  const bytesOut = { source: 0, destination: 0 }
  let writes = 0
  let invocations = 0
  let functionMs = 0
  let memoryBytes = 0
  let counted = false
  let assumed = false
  /** @type {string | undefined} */
  let provider
  /** Reads of the destination, which prove a copy. @type {WeakSet<object>} */
  const back = new WeakSet()
  /** @type {Usage[]} */
  let planned = []

  /** @param {Task[]} tasks @param {Outcome[]} [outcomes] absent: nobody waited for them */
  function add(tasks, outcomes) {
    for (let i = 0; i < tasks.length; i++) {
      const task = tasks[i]
      const sent = sentBy(task, outcomes?.[i])
      if (isHttp(task.read)) {
        const side = back.has(task.read) ? 'destination' : 'source'
        reads[side] += sent.reads
        bytesOut[side] += sent.bytes
      }
      if (task.write && isHttp(task.write)) writes += sent.writes
    }
  }

  return {
    /**
     * @param {'source' | 'destination'} side
     * @param {import('../types').Store} store
     * @returns {import('../types').Store} whose reads are known as those of this side
     */
    watch(side, store) {
      stores[side] = store
      if (side === 'source') return store
      return {
        ...store,
        async read(input) {
          const made = await store.read(input)
          back.add(made.request)
          return made
        },
      }
    },

    /** @param {import('../types').Engine} engine @returns {import('../types').Engine} whose tasks are counted */
    counting(engine) {
      return {
        ...engine,
        async limits(how) {
          const limits = await engine.limits(how)
          memoryBytes = limits.memoryBytes
          provider = limits.provider ?? engine.provider
          counted = Number.isFinite(limits.perMinute)
          return limits
        },
        async run(tasks, options) {
          const begunMs = performance.now()
          /** @param {Outcome[]} [outcomes] */
          const ended = outcomes => {
            if (engine.runsOn === 'platform') {
              invocations++
              functionMs += ranMs(outcomes, performance.now() - begunMs)
            }
            add(tasks, outcomes)
          }
          try {
            const outcomes = await engine.run(tasks, options)
            ended(outcomes)
            return outcomes
          } catch (error) {
            // What a platform has refused has not run.
            if (options?.signal?.aborted || /** @type {any} */ (error).uncertain) ended()
            throw error
          }
        },
      }
    },

    /** A read that is no task. @param {'source' | 'destination'} side */
    asked(side) {
      reads[side]++
    },

    /**
     * Of a dry run: what the copy would use in addition.
     *
     * @param {Parameters<typeof import('./forecast').forecast>[0]} job
     * @param {import('./forecast').Counts & { concurrency: number }} counts concurrency: invocations at once
     */
    plan(job, { concurrency, ...counts }) {
      const { forecast } = require('./forecast')
      const listed = {
        source: stores.source?.requests?.LIST ?? 0,
        destination: stores.destination?.requests?.LIST ?? 0,
      }
      const { functionMs, ...more } = forecast(job, counts, { listed, limits: { concurrency, counted } })
      assumed = job.settings.pace === undefined
      planned.push({ ...more, ...inMemory(functionMs) })
    },

    /** Whose functions they are, as the platform has told. */
    provider: () => provider,

    /** Whether the time of functions is planned, and nobody has measured them. */
    isAssumed: () => assumed,

    /** What was planned is left to another job. */
    forgetPlan() {
      planned = []
    },

    /** @returns {Usage} so far */
    total() {
      const { GET = 0, ...asked } = stores.source?.requests ?? {}
      const source = { GET: GET + reads.source, ...asked }
      const { GET: got = 0, PUT = 0, ...rest } = stores.destination?.requests ?? {}
      const destination = { GET: got + reads.destination, PUT: PUT + writes, ...rest }
      return sumOf([{ requests: { source, destination }, bytesOut, invocations, ...inMemory(functionMs) }, ...planned])
    },
  }

  /** @param {number} ms */
  function inMemory(ms) {
    return ms > 0 && Number.isFinite(memoryBytes) ? { gbSeconds: (ms / 1000) * (memoryBytes / GiB) } : {}
  }
}

/** @param {Usage[]} usages @returns {Usage} without what is zero */
function sumOf(usages) {
  const bytesOut = { source: 0, destination: 0 }
  /** @type {Usage['requests']} */
  const requests = { source: {}, destination: {} }
  let invocations = 0
  let gbSeconds = 0
  for (const usage of usages) {
    invocations += usage.invocations
    gbSeconds += usage.gbSeconds ?? 0
    for (const side of /** @type {const} */ (['source', 'destination'])) {
      bytesOut[side] += usage.bytesOut[side]
      const counts = requests[side]
      for (const [kind, count] of Object.entries(usage.requests[side]))
        if (count > 0) counts[kind] = (counts[kind] ?? 0) + count
    }
  }
  const sorted = (/** @type {Record<string, number>} */ counts) => Object.fromEntries(Object.entries(counts).sort())
  return {
    requests: { source: sorted(requests.source), destination: sorted(requests.destination) },
    bytesOut,
    invocations,
    ...(gbSeconds > 0 && { gbSeconds: Math.round(gbSeconds * 1000) / 1000 }),
  }
}

module.exports = { createUsage, sumOf }
