'use strict'

/** The runner as a function of each platform. Its archive has all that it needs: lib/engines/archive/runner.js. */

const { ENGINES } = require('../engines')
const { asXferError } = require('../errors')
const { run } = require('.')

/** @param {object} event */
const log = event => console.log(JSON.stringify(event))

/** What platforms call, by name. @type {Record<string, (...args: any[]) => Promise<object>>} */
const entries = {}
for (const { name: engine, runner } of ENGINES) {
  if (!runner) continue
  entries[runner.entry] = async (...args) => {
    const { env } = process
    const { call, ...limits } = runner.read(args, env)
    return await run(call, { engine, ...limits, env, log }).catch(cause => {
      const { code, message } = asXferError(cause)
      // The platform tells it as a failure, and its stack says nothing to anybody.
      throw Object.assign(new Error(message), { name: code, stack: undefined })
    })
  }
}

module.exports = entries
