'use strict'

/** Members of the contract that most stores would write alike: a store that leaves one out gets it from here. */

const { XferError } = require('../errors')
const { explainByStatus, metadataIn, removeEach } = require('./common')

/** @typedef {import('./contract').Store} Store */
/** @typedef {import('./contract').OwnStore} OwnStore */

/** Of a store without uploads: each object is one request. @type {import('../types').PartLimits} */
const WHOLE = { minBytes: 1, maxBytes: Number.MAX_SAFE_INTEGER, maxParts: 1, equalParts: true }

/** No name begins so: such a store reads no user metadata. */
const NO_USER = ' '

/** @param {OwnStore} own @param {Pick<import('./contract').StoreSettings, 'ca'>} settings @returns {Store} */
function withDefaults(own, { ca }) {
  const { facts, tags } = own
  const never = async () => {
    throw new TypeError(`${facts.protocol} cannot do that: its store says so.`)
  }
  const none = { create: never, part: never, complete: never }
  /** @type {Store} */
  const store = {
    origin: own.endpoint,
    limits: WHOLE,
    authenticate: async () => false,
    async ping(options) {
      await own.head('', options).catch(error => {
        if (error.facts?.status === undefined) throw error
      })
    },
    pin: object => object,
    put: never,
    remove: never,
    upload: { ...none, parts: async () => ({ parts: [] }), pending: async () => ({ uploads: [] }) },
    removeAll: async (keys, { signal } = {}) =>
      await removeEach(keys, key => store.remove({ key }, { signal }), signal),
    readDescription: headers => ({ metadata: metadataIn(headers, NO_USER) }),
    readWritten: () => ({}),
    describingHeaders: ({ metadata }) => metadata.headers,
    explain: answer => explainByStatus(answer, facts),
    close() {},
    ...(ca !== undefined && { ca }),
    ...own,
  }
  return tags ? store : refusingTags(store)
}

/** @param {Store} store whose objects have no tags @returns {Store} */
function refusingTags(store) {
  const { facts, put, upload } = store
  /** @param {import('../types').ObjectAttributes} attributes */
  function check({ tags = [] }) {
    if (tags.length === 0) return
    throw new XferError('STORE_REFUSED', { ...facts, status: 501, reason: 'its objects have no tags' })
  }
  return {
    ...store,
    async put(write) {
      check(write.attributes)
      return await put(write)
    },
    upload: {
      ...upload,
      async create(begin, options) {
        check(begin.attributes)
        return await upload.create(begin, options)
      },
    },
  }
}

module.exports = { withDefaults }
