'use strict'

/** Trees of objects in a bucket: put there, read back, copied by the real program. */

const { keep, startStore } = require('./opened')
const { newStateHome } = require('./journals')
const { all, createBuckets, get, openStore, put } = require('./s3')
const { copyEnv, eventsOf, startXfer } = require('./run-xfer')

/** All keys below a prefix, with their objects' sizes in bytes. @param {import('../../lib/types').Store} store */
async function sizesOf(store, prefix = '') {
  const { entries } = await all(marker => store.list({ prefix, marker }), 'objects')
  return Object.fromEntries(entries.map(({ key, bytes }) => [key, bytes]))
}

/**
 * A source and a destination with a bucket each.
 *
 * @param {{ source: any, destination?: any, platform?: any }} servers
 */
async function openTrees({ source, destination = source, platform }) {
  await createBuckets(source, 'origin')
  await createBuckets(destination, 'target')
  const from = openStore(source, 'origin')
  const to = openStore(destination, 'target')
  const env = copyEnv(source, destination, platform)

  /** @param {string[]} args the command, and what follows both locations */
  function start([command, ...flags], { below = 'tree/', target = below, ...options } = {}) {
    const recursive = ['copy', 'verify'].includes(command) ? ['-r'] : []
    const usual = ['--json', '--engine', platform ? 'openwhisk' : 'local', '--chunk', '5']
    const args = [command, ...recursive, `s3://origin/${below}`, `s3://target/${target}`, ...usual, ...flags]
    return startXfer(args, { ...options, env: { ...env, ...options.env } })
  }

  return keep({
    from,
    to,
    env,
    start,
    /** @param {string[]} args @param {object} [options] */
    async run(args, options) {
      const ended = await start(args, options).ended
      const events = eventsOf(ended)
      return { ...ended, events, last: events.at(-1), objects: events.filter(({ type }) => type === 'object') }
    },
    /** @param {Record<string, Buffer | string>} tree by key */
    async fill(tree) {
      for (const [key, bytes] of Object.entries(tree)) await put(from, key, Buffer.from(bytes))
    },
    /** @param {import('../../lib/types').Store} store @param {string} key */
    async text(store, key) {
      return (await get(store, key)).toString()
    },
    close() {
      from.close()
      to.close()
    },
  })
}

/** As openTrees, in two stores of their own, or in one, with a folder for the journals of jobs that outlive a command. */
async function openKeptTrees({ inOne = false } = {}) {
  const [source, destination] = await Promise.all([startStore(), inOne ? undefined : startStore()])
  const trees = await openTrees({ source, destination })
  const state = newStateHome()
  const kept = { env: { XDG_STATE_HOME: state } }
  return {
    source,
    destination,
    trees,
    state,
    /** Options of a command that keeps its job there. */
    kept,
    /** @param {...string} args */
    run: (...args) => trees.run(args, kept),
    /** A command of xfer that is about no prefix alone. @param {...string} args */
    async xfer(...args) {
      const ended = await startXfer(args, { env: { ...trees.env, XDG_STATE_HOME: state } }).ended
      const events = args.includes('--json') ? eventsOf(ended) : []
      return { ...ended, events, last: events.at(-1) }
    },
  }
}

module.exports = { sizesOf, openTrees, openKeptTrees }
