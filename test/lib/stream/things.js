'use strict'

/** Objects of a real store, to be downloaded: `large` keeps its CRC-32, `tagged` has an MD5 for its ETag alone. */

const { download } = require('../../../lib')
const { newStateHome } = require('../../support/journals')
const { openStore, startStore } = require('../../support/opened')
const { createBuckets, put } = require('../../support/s3')

/** @param {Buffer} body of both @param {object} [how] of the server @param {object} [usual] options of each reading */
async function startThings(body, how, usual) {
  const server = await startStore(how)
  await createBuckets(server, 'things')
  const things = openStore(server, 'things')
  const { endpoint: endpointUrl, accessKeyId, secretAccessKey } = server
  const credentials = { accessKeyId, secretAccessKey }
  const options = { source: { endpointUrl, credentials }, env: { HOME: newStateHome() }, ...usual }
  await put(things, 'large', body, { checksum: true })
  await put(things, 'tagged', body)

  /** Reads all of it; onFirst: waited for before more than its first piece is read. */
  async function read(key, { onFirst = async () => {}, ...more } = {}) {
    const events = []
    const pieces = []
    let error
    try {
      const given = { ...options, onEvent: event => events.push(event), ...more }
      for await (const piece of download(`s3://things/${key}`, given)) {
        if (pieces.length === 0) await onFirst()
        pieces.push(piece)
      }
    } catch (cause) {
      error = cause
    }
    const codes = events.filter(({ type }) => type === 'notice').map(({ code }) => code)
    return { bytes: Buffer.concat(pieces), error, codes, last: events.at(-1) }
  }
  return { server, things, options, read }
}

module.exports = { startThings }
