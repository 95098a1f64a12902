'use strict'

/** @import { Environment, Fault, Invocation, Outcome } from '../types' */

/** How an invocation seems to have ended. @type {Record<NonNullable<Fault['death']>, Outcome>} */
const DEATHS = {
  exit: { kind: 'ended', code: 1, signal: null, outOfMemory: false },
  memory: { kind: 'ended', code: null, signal: 'SIGKILL', outOfMemory: true },
  time: { kind: 'timeout' },
}

/**
 * Runs one invocation, with the effects of the call's fault.
 *
 * @param {Environment} environment
 * @param {Invocation} invocation
 * @param {Fault} fault
 * @returns {Promise<Outcome>}
 */
async function runWithFault(environment, invocation, { death, dieLoading, killAfterMs }) {
  let killed = false
  const kill = () => {
    killed = true
    environment.kill()
  }
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  if (dieLoading) kill()
  const outcome = await environment.invoke({
    ...invocation,
    onSent() {
      invocation.onSent?.()
      if (killAfterMs !== undefined) timer = setTimeout(kill, killAfterMs)
    },
  })
  clearTimeout(timer)
  if (death && killAfterMs === undefined) kill()
  return killed ? DEATHS[death ?? 'exit'] : outcome
}

module.exports = { runWithFault }
