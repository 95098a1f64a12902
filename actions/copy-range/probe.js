'use strict'

const { Failure } = require('./failure')
const { REFUSED, routeTo } = require('./net')
const { splitUrl } = require('./task')
const { Misfit, SocketCall } = require('./transport')

/**
 * Whether an address can be reached: any answer at all means that it can. `code` is one of Node.js, or `BAD_URL`, `PROXY`,
 * `ADDRESS_REFUSED` with its reason.
 * @typedef {{ reachable: true, status: number, dateMs?: number, elapsedMs: number }} Reached
 * @typedef {{ reachable: false, error: { code: string, message: string, reason?: string } }} Unreached
 */

const MOST_PROBES = 10

/** For all of a probe: name, TCP, proxy, TLS and the head of the answer. */
const PROBE_MS = 10_000

/**
 * Checks the parameter `probe`. Returns why it cannot be used.
 * @param {unknown} probes
 * @returns {string | undefined}
 */
function probesError(probes) {
  const fits =
    Array.isArray(probes) &&
    probes.length <= MOST_PROBES &&
    probes.every(one => typeof one === 'object' && one !== null)
  return fits ? undefined : `The parameter probe is no array of at most ${MOST_PROBES} objects.`
}

/**
 * Sends a HEAD to an address, without credentials, from where this function runs. It never rejects.
 * @param {{ url?: unknown }} target
 * @param {import('./net').Reach} reach
 * @param {number} [limitMs]
 * @returns {Promise<Reached | Unreached>}
 */
async function probe({ url }, reach, limitMs = PROBE_MS) {
  const startedMs = Date.now()
  try {
    const { status, headers } = await headOf(splitUrl(url), reach, limitMs)
    const dateMs = Date.parse(String(headers.date))
    return {
      reachable: true,
      status,
      ...(!Number.isNaN(dateMs) && { dateMs }),
      elapsedMs: Date.now() - startedMs,
    }
  } catch (error) {
    const { code = 'UNKNOWN', message } = /** @type {{ code?: string, message: string }} */ (error)
    const { detail, reason = message } = error instanceof Failure ? error.facts : {}
    if (code === REFUSED) return unreached(code, `It may not be connected to, for ${reason}`, reason)
    if (code === 'BAD_TASK') return unreached('BAD_URL', 'The URL is not one of http or https')
    if (error instanceof Failure) return unreached('PROXY', `It cannot be reached: ${detail}`)
    return unreached(
      code,
      code === 'ETIMEDOUT' ? `It did not answer within ${limitMs / 1000} s` : `It cannot be reached (${code})`,
    )
  }
}

/**
 * @param {string} code
 * @param {string} words
 * @param {string} [reason]
 * @returns {Unreached}
 */
function unreached(code, words, reason) {
  return { reachable: false, error: { code, message: `${words}.`, ...(reason !== undefined && { reason }) } }
}

/**
 * @param {ReturnType<typeof splitUrl>} target
 * @param {import('./net').Reach} reach
 * @param {number} limitMs
 * @returns {Promise<import('./transport').Answer>} of which only the head was read
 * @throws {Failure} if the environment's proxy is no URL, or the address is refused; else Node's error, `ETIMEDOUT` if the time was up
 */
async function headOf(target, reach, limitMs) {
  // A new connection: an idle one proves nothing, and may be dead.
  const how = { route: routeTo(target, 'read', reach), fresh: true }
  const request = { method: 'HEAD', path: target.path, headers: {} }
  /** @type {import('./transport').Call | undefined} */
  let call
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  try {
    return await new Promise((resolve, reject) => {
      const failed = (/** @type {string} */ code) => reject(Object.assign(new Error(), { code }))
      timer = setTimeout(failed, limitMs, 'ETIMEDOUT')
      // Node's own parser begins its codes so, and readers of the answer know that.
      const lost = (/** @type {Error | undefined} */ error) =>
        error instanceof Misfit ? failed(`HPE_${error.code}`) : error ? reject(error) : failed('ECONNRESET')
      call = new SocketCall(request, how, { open: () => call?.end(), answer: resolve, drain() {}, lost })
    })
  } finally {
    clearTimeout(timer)
    call?.destroy()
  }
}

module.exports = { probesError, probe }
