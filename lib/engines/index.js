'use strict'

/**
 * The table of engines, and the choice among them. An engine is a plain object; the contract is the interface `Engine`
 * in ./contract.d.ts, and test/contract/engine.js is its suite.
 *
 * What an implementation must keep: `run` is one invocation and answers one outcome per task, in the tasks' order; a
 * task that failed is an outcome, never a rejection; it rejects with an XferError only when nothing is known of any
 * task. It never repeats anything: the scheduler does.
 */

const { XferError } = require('../errors')
const { isLoopback } = require('../http')
const { ENGINES } = require('./registry')

const NAMES = ['auto', ...Object.keys(ENGINES)]

/**
 * @param {{
 *   engine: string,
 *   platform: import('../types').PlatformSettings | undefined,
 *   action?: string,
 *   stores: import('../types').Store[],
 *   silenceMs?: number,
 *   concurrency?: number,
 *   bytesPerSecond?: number,
 *   transport?: 'socket' | 'http',
 *   manySmall?: boolean,
 *   engineLimits?: Partial<import('../types').EngineLimits>,
 * }} wish action: with its package's name, where it is another than usual; stores: those that the engine must reach;
 *   silenceMs: how long a connection may move no byte; concurrency: invocations at once that are asked for;
 *   bytesPerSecond: of all of them, at most; transport: of the action's requests; manySmall: tasks of a few
 *   kilobytes; engineLimits: of the platform, whatever it says of itself
 * @returns {{ engine: import('../types').Engine, why: string }} why: half a sentence for people
 * @throws {XferError} NO_PLATFORM; USAGE where a customer's own key would have to be given to functions
 */
function chooseEngine({
  engine,
  platform,
  action,
  stores,
  silenceMs,
  concurrency,
  bytesPerSecond,
  transport,
  manySmall,
  engineLimits,
}) {
  // The one that is chosen is loaded, and the other one is not.
  /** @param {import('../types').PlatformSettings} there */
  const onPlatform = there => {
    const createOpenWhiskEngine = ENGINES.openwhisk.load()
    const paced = bytesPerSecond !== undefined
    return createOpenWhiskEngine(there, { action, silenceMs, concurrency, transport, paced, limits: engineLimits })
  }
  const here = () => {
    const createLocalEngine = ENGINES.local.load()
    return createLocalEngine({ silenceMs, bytesPerSecond, transport, manySmall, ca: trustedBy(stores) })
  }
  if (engine === 'local') return { engine: here(), why: 'as asked' }
  const keyed = stores.find(store => store.keyed)
  if (engine === 'openwhisk') {
    if (keyed) {
      throw new XferError('USAGE', {
        text: `A customer's own key (SSE-C) was given for the ${keyed.facts.side}, and no function may have it.`,
        advice: 'Copy with --engine local, on this machine.',
      })
    }
    if (!platform) throw new XferError('NO_PLATFORM')
    return { engine: onPlatform(platform), why: 'as asked' }
  }
  if (!platform) return { engine: here(), why: 'no OpenWhisk platform is configured' }
  if (keyed) {
    const why = `no function may have the customer's own key (SSE-C) of the ${keyed.facts.side}`
    return { engine: here(), why }
  }
  const local = stores.find(store => store.reach === 'local')
  if (local && !isLoopback(new URL(platform.apihost).hostname)) {
    const why = `the ${local.facts.side} ${local.endpoint} is on this machine, where functions of ${platform.apihost} cannot reach it`
    return { engine: here(), why }
  }
  return { engine: onPlatform(platform), why: `configured in ${platform.from}` }
}

/** Certificates that either side's settings name. @param {import('../types').Store[]} stores */
function trustedBy(stores) {
  const all = new Set(stores.flatMap(({ ca }) => ca ?? []))
  return all.size > 0 ? [...all].join('') : undefined
}

module.exports = { chooseEngine, NAMES }
