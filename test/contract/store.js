'use strict'

/**
 * The one suite that every store must pass; lib/stores/index.js says what the contract is. A new store calls it with
 * what starts a server for it, and adds what is its own beside.
 */

const { objectContract } = require('./store-objects')
const { uploadContract } = require('./store-uploads')
const { leakContract } = require('./store-leaks')
const { keyContract } = require('./store-keys')
const { listContract } = require('./store-lists')

/**
 * What a suite works with.
 *
 * @typedef {object} World
 * @property {(bucket: string, settings?: object, now?: () => number) => import('../../lib/types').Store} open settings: over
 *   the usual ones; now: this machine's clock
 * @property {(bucket: string) => Promise<void>} createBucket
 * @property {import('../support/servers').Traits} traits what the server behind is known not to do
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} name
 * @param {() => Promise<World>} setUp
 */
function storeContract(name, setUp) {
  describe(`the store ${name}`, () => {
    /** @type {World} */
    let world
    /** @type {Map<string, import('../../lib/types').Store>} */
    const stores = new Map()

    beforeAll(async () => {
      world = await setUp()
    })
    afterAll(async () => {
      for (const store of stores.values()) store.close()
      await world?.close()
    })

    const suite = {
      /** A store on a bucket of its own for each group, so that no group sees another's objects. @param {string} bucket */
      async bucket(bucket) {
        if (!stores.has(bucket)) {
          await world.createBucket(bucket)
          stores.set(bucket, world.open(bucket))
        }
        return stores.get(bucket)
      },
      /** @type {World['open']} */
      open(...how) {
        const store = world.open(...how)
        stores.set(`another ${stores.size}`, store)
        return store
      },
      traits: () => world.traits,
    }
    objectContract(suite)
    uploadContract(suite)
    leakContract(suite)
    keyContract(suite)
    listContract(suite)
  })
}

module.exports = { storeContract }
