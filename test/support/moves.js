'use strict'

/** Objects that `xfer mv` moves between two ends, where each of them is, and a command that is killed while it moves them. */

const { newStateHome } = require('./journals')
const { openEnd } = require('./opened')
const { startXfer } = require('./run-xfer')

/** No test waits so long. */
const NEVER_MS = 600_000

/** @typedef {Awaited<ReturnType<typeof openMove>>} Move */

let count = 0

/**
 * Two ends, and a folder for journals.
 *
 * @param {import('./ends').Started} server of both
 * @param {Record<string, Buffer | string>} objects of the source, by key
 * @param {{ oneStore?: boolean }} [how] both ends are one store to xfer
 */
async function openMove(server, objects, { oneStore = false } = {}) {
  const number = ++count
  const source = await openEnd(server, `from-${number}`)
  const destination = await openEnd(server, `to-${number}`, oneStore ? source : undefined)
  for (const [key, bytes] of Object.entries(objects)) await source.write(key, { bytes: Buffer.from(bytes) })
  return {
    ...{ source, destination },
    env: { ...source.env('SOURCE'), ...destination.env('DEST'), XDG_STATE_HOME: newStateHome() },
    /** @param {string} key @param {string[]} args behind both places */
    line: (key, ...args) => ['mv', source.text(key), destination.text(key), ...args],
    /** Where each object is: `s`, `d`, `sd`, or nowhere; wrong bytes count as nothing. */
    async where() {
      const [here, there] = await Promise.all([source.look(), destination.look()])
      const has = (/** @type {typeof here} */ look, /** @type {string} */ key) =>
        look.objects.get(key)?.bytes.equals(Buffer.from(objects[key]))
      return Object.keys(objects).map(key => `${has(here, key) ? 's' : ''}${has(there, key) ? 'd' : ''}`)
    },
  }
}

/**
 * Kills the command at the nth of these requests.
 *
 * @param {Pick<Move, 'source' | 'destination' | 'env'>} at
 * @param {{ args: string[], side: 'source' | 'destination', operations: string[], nth: number, done: boolean }} when done: the request
 *   is carried out, and its answer does not come
 * @returns {Promise<boolean>} false: it ended before
 */
async function killAt(at, { args, side, operations, nth, done }) {
  const end = at[side]
  const rule = end.misbehave({ operation: operations, nth, [done ? 'answerDelayMs' : 'delayMs']: NEVER_MS })
  const { child, ended } = startXfer(args, { env: at.env })
  let seen = 0
  const reached = new Promise(resolve => {
    end.relay.on(done ? 'done' : 'begin', ({ operation }) => {
      if (operations.includes(operation) && ++seen === nth) resolve(true)
    })
  })
  const killed = await Promise.race([reached, ended.then(() => false)])
  if (killed) child.kill('SIGKILL')
  await ended
  rule.remove()
  return killed
}

module.exports = { openMove, killAt }
