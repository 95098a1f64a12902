'use strict'

/** Machines of their own, with other names and homes, whose jobs lie in one state. */

const { join } = require('node:path')
const { newStateHome } = require('./journals')
const { eventsOf, startXfer, stateEnv } = require('./run-xfer')

const OTHER_HOST = join(__dirname, 'other-host.js')

/**
 * @param {Record<string, string>} env for source and destination; the state is reached as the destination is
 * @param {string} name of the machine
 * @param {string} state
 */
function openMachine(env, name, state) {
  const all = { ...env, ...stateEnv(env), MACHINE: name, XFER_STATE: state, XDG_STATE_HOME: newStateHome() }
  const start = (/** @type {string[]} */ ...args) =>
    startXfer([...args, '--json'], { env: all, nodeArgs: ['--require', OTHER_HOST] })
  async function run(/** @type {string[]} */ ...args) {
    const ended = await start(...args).ended
    const events = eventsOf(ended)
    return { status: ended.status, events, last: events.at(-1) }
  }
  return { env: all, start, run }
}

module.exports = { openMachine }
