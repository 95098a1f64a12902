'use strict'

/** @import { Environment, LambdaOptions, Outcome } from '../types' */

/**
 * Creates environments without processes, for a thousand at once: a function in this process is called for every event.
 *
 * @param {NonNullable<LambdaOptions['handler']>} handler
 * @returns {() => Environment}
 */
function createStubEnvironments(handler) {
  return () => {
    /** @type {(end: Outcome) => void} */
    let end = () => {}
    const exited = new Promise(resolve => {
      end = resolve
    })
    /** @param {unknown} event @param {string} requestId @returns {Promise<Outcome>} */
    async function call(event, requestId) {
      try {
        const body = await handler(event, { awsRequestId: requestId })
        return { kind: 'answer', body: Buffer.from(JSON.stringify(body ?? null)), isError: false }
      } catch (thrown) {
        const { name, message } = /** @type {Error} */ (thrown)
        const body = Buffer.from(JSON.stringify({ errorType: name, errorMessage: message, trace: [] }))
        return { kind: 'answer', body, isError: true }
      }
    }

    return {
      pid: undefined,
      warm: false,
      spent: false,
      started: Promise.resolve(),
      exited,
      async invoke({ requestId, event, onSent }) {
        this.warm = true
        onSent?.()
        return Promise.race([call(JSON.parse(event.toString()), requestId), exited])
      },
      pause() {},
      resume() {},
      kill: () => end({ kind: 'ended', code: null, signal: 'SIGKILL', outOfMemory: false }),
    }
  }
}

module.exports = { createStubEnvironments }
