'use strict'

/** The world of the contract's suite for Redis: each bucket is a database of one server. */

const { openStore, parsePlace } = require('../../lib/stores')
const { startRedis } = require('../support/servers')

const MISSING = 99

/** @returns {Promise<import('./store').World>} */
async function redisWorld() {
  const { port, password, close } = await startRedis()
  /** @type {string[]} */
  const databases = []
  const numberOf = name => (databases.includes(name) ? databases.indexOf(name) : MISSING)
  const targetOf = (name, more) => ({ host: '127.0.0.1', port, secure: false, db: numberOf(name), password, ...more })
  return {
    open(name, { wrong, ...more } = {}, now = Date.now) {
      const place = parsePlace(`redis://127.0.0.1:${port}/${numberOf(name)}/`, 'destination', { containerAlone: true })
      const target = () => targetOf(name, wrong)
      return openStore(place, { side: 'destination', target, keep: {}, ...more }, now)
    },
    createBucket: name => void databases.push(name),
    strangers: () => [
      { settings: { wrong: { password: 'not-the-password' } }, secret: 'not-the-password' },
      { settings: { wrong: { user: 'nobody', password: 'not-a-password' } }, secret: 'not-a-password' },
    ],
    traits: {
      ...{ pathKeys: true, conditions: true, conditionalRemoval: true, silentReads: true },
      bucketFact: name => `127.0.0.1:${port}/${numberOf(name)}`,
      lacks: ['list', 'partSize', 'serverCopy', 'tags'],
    },
    close,
  }
}

module.exports = { redisWorld }
