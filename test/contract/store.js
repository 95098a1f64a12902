'use strict'

/**
 * The one suite that every store must pass; lib/stores/contract.d.ts is the contract. It knows no store: answers to data requests
 * are judged by the store's `accepts` and `explain`, calls by their results and errors, and what a store cannot do by its
 * abilities. A new store calls it with what starts a server for it, and adds suites of its own.
 */

const { objectContract } = require('./store-objects')
const { uploadContract } = require('./store-uploads')
const { leakContract } = require('./store-leaks')
const { keyContract, listContract } = require('./store-lists')

/**
 * uploadConditions: as `conditions`, of a completion, where that differs.
 * pathKeys: keys with `./`, `../`, `//` or a closing slash are plain names. conditions: it refuses a write whose condition does
 * not hold. conditionalRemoval: it heeds the ETag of a removal. lacks: the optional members of the contract that it leaves
 * out. unlistable: keys that its lists cannot tell, though it has them.
 *
 * What a server does otherwise than most: keeps: what it keeps of metadata; tagSigns: signs that a tag may have; silentPuts: it
 * answers no checksum to the write of a whole object; ageless: it takes old signatures; denies: it does not tell refused
 * credentials from missing permissions; late: it checks other things before the signature; utf16: it lists names in the order of
 * their UTF-16; tame: its lists fail for some characters; makesBuckets: a write makes the bucket that is missing; silentReads: its
 * reads tell nothing of what describes an object; bucketFact: the fact `bucket` of its errors; bucketless: a missing bucket and a missing
 * key are one to its reads.
 *
 * @typedef {{
 *   pathKeys: boolean, conditions: boolean, uploadConditions?: boolean, conditionalRemoval: boolean, lacks: string[], unlistable?: RegExp,
 *   keeps?: (metadata: import('../../lib/types').ObjectMetadata) => import('../../lib/types').ObjectMetadata,
 *   tagSigns?: string, silentPuts?: boolean, ageless?: boolean, denies?: boolean, late?: boolean, utf16?: boolean, tame?: boolean,
 *   makesBuckets?: boolean, silentReads?: boolean, bucketless?: boolean, bucketFact?: (name: string) => string,
 * }} Traits
 */

/**
 * What a suite works with.
 *
 * @typedef {object} World
 * @property {(bucket: string, settings?: object, now?: () => number) => import('../../lib/types').Store |
 *   Promise<import('../../lib/types').Store>} open settings: over the usual ones; now: this machine's clock
 * @property {(bucket: string) => Promise<void> | void} createBucket
 * @property {() => Array<{ settings: object, secret: string }>} strangers settings of those whom the server does not let in
 * @property {Traits} traits what the server behind is known to do
 * @property {() => Promise<void>} close
 */

/** What the suites leave out where the store has none: a store that loses one of them by mistake must not pass. */
const OPTIONAL = ['heeds', 'list', 'partSize', 'serverCopy', 'tags']

/**
 * @param {string} name
 * @param {() => Promise<World>} setUp
 * @param {Array<(suite: any) => void>} [own] suites of this kind of store alone
 * @param {{ signedNever?: boolean, listsNever?: boolean, wholeOnly?: boolean }} [how] signedNever: its requests have no signatures, so
 *   there is none to leak; listsNever: its places are single objects; wholeOnly: it has no uploads
 */
function storeContract(name, setUp, own = [], { signedNever = false, listsNever = false, wholeOnly = false } = {}) {
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
          stores.set(bucket, await world.open(bucket))
        }
        return stores.get(bucket)
      },
      /** @type {World['open']} */
      async open(...how) {
        const store = await world.open(...how)
        stores.set(`another ${stores.size}`, store)
        return store
      },
      strangers: () => world.strangers(),
      traits: () => world.traits,
    }
    it('has all that the contract leaves open, but for what its suite says', async () => {
      const store = await suite.bucket('members')
      expect(OPTIONAL.filter(name => store[name] === undefined)).toEqual(world.traits.lacks)
      expect(store.limits.maxParts === 1).toBe(wholeOnly)
    })
    objectContract(suite)
    if (!wholeOnly) uploadContract(suite)
    if (!signedNever) leakContract(suite)
    keyContract(suite)
    if (!listsNever) listContract(suite)
    for (const contract of own) contract(suite)
  })
}

module.exports = { storeContract }
