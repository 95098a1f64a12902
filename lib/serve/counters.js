'use strict'

/** What a worker has done, for its log and for `/metrics`. */

/** @typedef {import('./run').Ending} Ending */

/** @type {Ending[]} */
const ENDINGS = ['done', 'cancelled', 'cut', 'suspended']

function createCounters() {
  const invocations = new Map(ENDINGS.map(ending => [ending, 0]))
  /** By HTTP status. @type {Map<number, number>} */
  const refused = new Map()
  let [done, failed, bytes] = [0, 0, 0]

  return {
    /** @param {number} status */
    refused(status) {
      refused.set(status, (refused.get(status) ?? 0) + 1)
    },

    /**
     * An invocation has ended.
     *
     * @param {Ending} ending
     * @param {any} result of the action
     * @returns {{ tasks: number, bytes: number, failed?: Record<string, number> }} failed: tasks, by their codes
     */
    ended(ending, result) {
      invocations.set(ending, (invocations.get(ending) ?? 0) + 1)
      const outcomes = /** @type {any[]} */ (result?.outcomes ?? [])
      const good = outcomes.filter(outcome => outcome?.error === undefined)
      const moved = good.reduce((sum, outcome) => sum + outcome.bytes, 0)
      done += good.length
      failed += outcomes.length - good.length
      bytes += moved
      /** @type {Record<string, number>} */
      const codes = {}
      for (const { error } of outcomes) if (error) codes[error.code] = (codes[error.code] ?? 0) + 1
      return { tasks: outcomes.length, bytes: moved, ...(good.length < outcomes.length && { failed: codes }) }
    },

    /**
     * The text of `/metrics`: https://prometheus.io/docs/instrumenting/exposition_formats/
     *
     * @param {{ places: number, running: number, connections: number, version: string }} state
     */
    text({ places, running, connections, version }) {
      const cpu = process.cpuUsage()
      const tasks = Object.entries({ done, failed })
      return [
        metric('xfer_worker_info', 'gauge', [[version, 1]], 'version'),
        metric('xfer_places', 'gauge', [['', places]]),
        metric('xfer_invocations_running', 'gauge', [['', running]]),
        metric('xfer_connections', 'gauge', [['', connections]]),
        metric('xfer_invocations_total', 'counter', [...invocations], 'ending'),
        metric('xfer_tasks_total', 'counter', tasks, 'outcome'),
        metric('xfer_bytes_total', 'counter', [['', bytes]]),
        metric('xfer_refused_total', 'counter', [...refused], 'status'),
        metric('process_cpu_seconds_total', 'counter', [['', (cpu.user + cpu.system) / 1e6]]),
        metric('process_resident_memory_bytes', 'gauge', [['', process.memoryUsage.rss()]]),
      ].join('')
    },
  }
}

/** @param {string} name @param {'gauge' | 'counter'} type @param {Array<[of: string | number, value: number]>} values @param {string} [label] what they are of */
function metric(name, type, values, label) {
  const lines = values.map(([of, value]) => `${name}${label ? `{${label}="${of}"}` : ''} ${value}\n`)
  return [`# TYPE ${name} ${type}\n`, ...lines].join('')
}

module.exports = { createCounters }
