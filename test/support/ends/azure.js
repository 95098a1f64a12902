'use strict'

/** A server that speaks Azure Blob, as an end of copies. */

const { AZURE } = require('./azure-dialect')
const { call, look, readOne, write } = require('./azure-objects')

/**
 * @param {{ endpoint: string, account: string, key: string, close: () => Promise<void> }} server endpoint: with the account
 * @returns {import('./index').Server}
 */
function azureServer({ endpoint, account, key, close }) {
  const { origin, port } = new URL(endpoint)
  const access = { port: Number(port), account, key }
  const container = { restype: 'container' }
  return {
    dialect: AZURE,
    md5OfParts: false,
    checks: false,
    endpoint: origin,
    async create(name) {
      const { status, text } = await call(access, { method: 'PUT', path: `/${name}`, query: container })
      if (status !== 201 && status !== 409) throw new Error(`no container is made: ${status} ${text}`)
    },
    text: (name, blob) => `az://${account}/${name}/${blob}`,
    env: (side, relay) => ({
      [`XFER_${side}_ENDPOINT_URL`]: `${relay}/${account}`,
      [`XFER_${side}_AZURE_STORAGE_ACCOUNT`]: account,
      [`XFER_${side}_AZURE_STORAGE_KEY`]: key,
    }),
    async write(name, blob, written) {
      // What a server does not take is left out, in the end the object.
      const { attributes = { headers: {}, user: {}, tags: [] } } = written
      const user = Object.fromEntries(Object.entries(attributes.user).filter(([one]) => /^[a-z_]\w*$/i.test(one)))
      const ways = [{ ...written, attributes: { ...attributes, user } }, { bytes: written.bytes }]
      for (const way of ways) {
        const error = await write(access, name, blob, way).catch(failure => failure)
        if (error === undefined) return way === ways[0]
      }
      return false
    },
    read: (name, blob) => readOne(access, name, blob),
    look: name => look(access, name),
    async remove(name, blob) {
      await call(access, { method: 'DELETE', path: `/${name}/${blob}` })
    },
    async drop(name) {
      await call(access, { method: 'DELETE', path: `/${name}`, query: container })
    },
    stop: close,
  }
}

module.exports = { azureServer }
