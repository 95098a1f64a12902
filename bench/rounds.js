'use strict'

/** Clients alternate, A B A B, in one run, so that other load on the machine affects all of them. */

const { measure } = require('./measure')

/**
 * @typedef {{ wallSeconds: number, cpuSeconds: number, peakBytes: number, serverCpuSeconds: number, [more: string]: number }} Run
 *
 * @typedef {{ name: string, kind: 'xfer' | 'peer' | 'limit', settings?: string, bytes?: number, runs: Run[], failed?: string }} Row
 *   failed: why it has no more runs; bytes: moved in each run
 *
 * @typedef {object} Contestant
 * @property {string} name
 * @property {'xfer' | 'peer' | 'limit'} kind
 * @property {string} [settings]
 * @property {number} [bytes]
 * @property {() => import('./clients').Call} call
 *
 * @typedef {object} Turns
 * @property {number} runs after one warm-up
 * @property {boolean} [warmUp] false: no warm-up, and each run is checked
 * @property {number[]} [servers] process ids
 * @property {AbortSignal} signal
 * @property {(line: string) => void} say
 * @property {(contestant: Contestant) => Promise<void>} [before] each run: removes the copy of the run before
 * @property {(contestant: Contestant) => Promise<string | undefined>} [check] after the warm-up: what is wrong with the copy
 * @property {(contestant: Contestant, cost: import('./measure').Cost) => Promise<Record<string, number>>} [more] after each run:
 *   its other figures
 */

/**
 * A client that fails takes no further part; the others continue.
 *
 * @param {Contestant[]} contestants
 * @param {Turns} turns
 * @returns {Promise<Row[]>}
 */
async function takeTurns(contestants, { runs, warmUp = true, servers, signal, say, before, check, more }) {
  /** @type {Row[]} */
  const rows = contestants.map(({ name, kind, settings, bytes }) => ({ name, kind, settings, bytes, runs: [] }))
  for (let run = warmUp ? 0 : 1; run <= runs; run++) {
    for (const [index, contestant] of contestants.entries()) {
      const row = rows[index]
      if (row.failed) continue
      await before?.(contestant)
      const { command, env } = contestant.call()
      const cost = await measure(command, env, { servers, signal })
      row.failed = complaintOf(cost) ?? (run === 0 || !warmUp ? await check?.(contestant) : undefined)
      if (row.failed) {
        say(`${row.name} is out: ${row.failed}`)
        continue
      }
      const { wallSeconds, cpuSeconds, peakBytes, serverCpuSeconds } = cost
      const figures = { wallSeconds, cpuSeconds, peakBytes, serverCpuSeconds, ...(await more?.(contestant, cost)) }
      const nth = run === 0 ? 'warm-up' : `run ${run} of ${runs}`
      const megabytes = (peakBytes / 1e6).toFixed(0)
      say(`${nth}  ${row.name}: ${wallSeconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} CPU s, ${megabytes} MB`)
      if (run > 0) row.runs.push(figures)
    }
  }
  return rows
}

/** @param {import('./measure').Cost} cost @returns {string | undefined} */
function complaintOf({ status, stdout, stderr }) {
  if (status === 0) return undefined
  const said = (stderr.trim() || stdout.trim()).split('\n').at(-1)?.slice(0, 300)
  return `it ended with status ${status}${said ? ` (${said})` : ''}`
}

module.exports = { takeTurns }
