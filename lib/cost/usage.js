'use strict'

/** What a job uses: requests to its stores by kind, bytes that leave them, and what its functions took. */

/** @typedef {import('../types').JobUsage} Usage */
/** @typedef {import('../types').Store} Store */

const GiB = 1024 ** 3

/** The requests to one store, by the kinds that price lists tell apart. @returns {Record<string, number>} */
const noRequests = () => ({ COPY: 0, DELETE: 0, GET: 0, HEAD: 0, LIST: 0, POST: 0, PUT: 0 })

/** @returns {Omit<Usage, 'requests'> & { requests: Partial<Usage['requests']>, functionMs: number }} a store that is absent bills nothing */
const nothing = () => ({ requests: {}, bytesOut: { source: 0, destination: 0 }, invocations: 0, functionMs: 0 })

/** @param {any} sum to which all counts are added, at any depth @param {any} counts @returns {any} the same sum */
function add(sum, counts) {
  for (const name in counts) {
    const count = counts[name]
    sum[name] = typeof count === 'number' ? (sum[name] ?? 0) + count : add(sum[name] ?? {}, count)
  }
  return sum
}

/** What a function tells is a number, or nothing. @param {unknown} value */
const countOf = value => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0)

/** @param {import('../types').Outcome[]} outcomes @param {number} elapsedMs @returns {number} how long the function ran, as far as it tells */
function ranMs(outcomes, elapsedMs) {
  const timings = outcomes.flatMap(outcome => ('timing' in outcome ? [outcome.timing] : []))
  const fromMs = Math.min(...timings.map(({ startedAtMs }) => startedAtMs))
  const toMs = Math.max(...timings.map(({ startedAtMs, totalMs }) => startedAtMs + totalMs))
  return toMs > fromMs ? Math.min(toMs - fromMs, elapsedMs) : elapsedMs
}

/** A task that did not fail. @type {Partial<import('../types').TaskFailure>} */
const DONE = {}

function createUsage() {
  const used = nothing()
  const { requests, bytesOut } = used
  let planned = nothing()
  const limits = /** @type {import('../types').EngineLimits} */ ({})
  /** Reads of the destination, which prove a copy. @type {WeakSet<object>} */
  const back = new WeakSet()

  /**
   * @param {import('../types').Task[]} tasks that an engine has run
   * @param {import('../types').Outcome[]} outcomes without those that nobody waited for: they were done
   * @param {number} [begunMs] of the invocation; absent: it was none
   */
  function count(tasks, outcomes, begunMs) {
    if (begunMs !== undefined) {
      used.invocations++
      used.functionMs += ranMs(outcomes, performance.now() - begunMs)
    }
    for (let i = 0; i < tasks.length; i++) {
      const { read, write, bytes } = tasks[i]
      const outcome = outcomes[i]
      const { error, sent } = outcome && 'error' in outcome ? outcome : DONE
      const side = !write && back.has(read) ? 'destination' : 'source'
      const from = requests[side]
      if (from) {
        from.GET += sent ? countOf(sent.reads) : 1
        bytesOut[side] += sent ? countOf(sent.bytes) : error ? 0 : bytes
      }
      const to = write && requests.destination
      if (to) to.PUT += sent ? countOf(sent.writes) : error?.side === 'read' ? 0 : 1
    }
  }

  return {
    /** Its store will be watched once it is opened. @param {'source' | 'destination'} side @param {Store} store the same for many runs */
    expect(side, store) {
      if (store.requests) requests[side] = noRequests()
    },

    /** @param {'source' | 'destination'} side @param {Store} store which has sent nothing yet: what was counted before it was opened goes on @returns {Store} whose reads are known as those of this side */
    watch(side, store) {
      if (store.requests) requests[side] = Object.assign(store.requests, requests[side])
      /** @type {Store['read']} */
      const read = async input => {
        const made = await store.read(input)
        back.add(made.request)
        return made
      }
      return side === 'source' ? store : { ...store, read }
    },

    /** @param {import('../types').Engine} engine @returns {import('../types').Engine} whose tasks are counted */
    counting(engine) {
      return {
        ...engine,
        limits: async how => Object.assign(limits, await engine.limits(how)),
        async run(tasks, options) {
          const begunMs = engine.runsOn === 'platform' ? performance.now() : undefined
          try {
            const outcomes = await engine.run(tasks, options)
            count(tasks, outcomes, begunMs)
            return outcomes
          } catch (error) {
            // What a platform has refused has not run.
            if (options?.signal?.aborted || /** @type {any} */ (error).uncertain) count(tasks, [], begunMs)
            throw error
          }
        },
      }
    },

    /** Of a dry run: what the copy would use in addition. @type {(job: Parameters<typeof import('./forecast').forecast>[0], counts: import('./forecast').Counts) => void} */
    plan(job, counts) {
      planned = require('./forecast').forecast(job, counts, limits)
    },

    /** What was planned is left to another job. */
    forgetPlan() {
      planned = nothing()
    },

    /** Whose functions they are, as the platform has told. */
    provider: () => limits.provider,

    /** @returns {Usage} so far, also what is zero */
    total() {
      const { functionMs, ...total } = add(add(nothing(), used), planned)
      const memoryGiB = Number.isFinite(limits.memoryBytes) ? limits.memoryBytes / GiB : 0
      return { ...total, gbSeconds: (functionMs / 1000) * memoryGiB }
    },
  }
}

/** @param {Iterable<ReturnType<typeof createUsage>>} usages @returns {Usage} of all of them, without what is zero */
function usageOf(usages) {
  const { functionMs: _, ...sum } = nothing()
  for (const usage of usages) add(sum, usage.total())
  const { requests, gbSeconds = 0, ...others } = /** @type {Usage} */ (sum)
  const asked = (counts = {}) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
  return {
    requests: { source: asked(requests.source), destination: asked(requests.destination) },
    ...others,
    ...(gbSeconds > 0 && { gbSeconds: Math.round(gbSeconds * 1000) / 1000 }),
  }
}

module.exports = { createUsage, noRequests, usageOf }
