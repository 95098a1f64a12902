'use strict'

/** Checks whether functions can reach a store. A function tries it, because this machine may be in another network. */

const { XferError } = require('../errors')
const { toParameters } = require('../engines')
const { explainConnection, isLoopback } = require('../http')

/** @typedef {import('./run').Check} Check */
/** @typedef {import('./run').Finding} Finding */

/**
 * @param {import('../engines/contract').EngineFound} platform
 * @param {import('./stores').SideFound} found
 * @returns {Check}
 */
function reachCheck(platform, found) {
  return {
    name: `${found.side} from functions`,
    needs: ['invocation'],
    foregone: () => judgeHosts(found, platform.settings),
    limitMs: 90_000,
    async run() {
      const { origin, side, unreachedIn } = found
      if (!platform.settings) return platform.none
      if (!origin) return { ok: null, detail: `Skipped, for it is not known where the ${side} is.` }
      return judgeProbe({ side, origin, unreachedIn }, await probe(platform, origin))
    },
  }
}

/**
 * @param {import('../engines/contract').EngineFound} platform
 * @param {string} url
 * @throws {XferError} ACTION_VERSION if its answer does not fit
 */
async function probe(platform, url) {
  const { version } = toParameters([])
  const result = await platform.invoke({ version, probe: [{ url }] })
  const found = result?.probes?.[0]
  if (typeof found?.reachable === 'boolean') return found
  throw new XferError('ACTION_VERSION', { ...platform.facts(), reason: 'it does not tell what it can reach' })
}

/**
 * Warns if functions cannot reach the store's address. No failure: a copy then uses the local engine
 * (lib/engines/choose.js).
 *
 * @param {import('./stores').SideFound} found
 * @param {import('../engines/contract').EngineSettings | undefined} engine undefined: not configured
 * @returns {Finding | undefined} undefined if the addresses alone do not decide it
 */
function judgeHosts({ side, origin, here }, engine) {
  if (here) {
    return { ok: null, detail: `Functions have nothing to do with the ${side}: only threads of this machine reach it.` }
  }
  if (!origin || !engine || !isLoopback(new URL(origin).hostname) || engine.reach !== 'network') return undefined
  return {
    ok: true,
    detail: `The ${side} ${origin} is on this machine, where functions of ${engine.where} cannot reach it.`,
    hint: "A copy will run on this machine's threads (--engine auto chooses it); functions need a store with an address of the network.",
  }
}

/**
 * @param {{ side: string, origin: string, unreachedIn?: string }} where unreachedIn: the check in which this machine did
 *   not reach the store either
 * @param {any} found the action's answer
 * @returns {Finding}
 */
function judgeProbe({ side, origin, unreachedIn }, found) {
  if (found.reachable) {
    return { ok: true, detail: `Functions reach the ${side} ${origin}, which answered in ${found.elapsedMs} ms.` }
  }
  const { code, reason } = found.error ?? {}
  if (code === 'ADDRESS_REFUSED') {
    const hint =
      'Check the endpoint, or allow it with xfer deploy --allow-hosts or --allow-metadata, or those options of xfer serve.'
    return { ok: false, detail: `Functions may not connect to the ${side} ${origin}, because ${reason}.`, hint }
  }
  const words = explainConnection(code)?.words
  const why = words ? `${code}: ${words}` : code
  const detail = `Functions cannot reach the ${side} ${origin} (${why}).`
  if (unreachedIn) return { ok: false, detail, hint: `Nor can this machine: see the check "${unreachedIn}".` }
  const hint = isLoopback(new URL(origin).hostname)
    ? 'To a function localhost is its own container: give the store an address of the network, or copy with --engine local.'
    : "Check that the platform's network and name servers lead to the store, or copy with --engine local."
  return { ok: false, detail, hint }
}

module.exports = { reachCheck }
