'use strict'

/** How response times grow with the number of users at once. */

const { asXferError, throwIfAborted } = require('../errors')
const { timesOf } = require('./numbers')

/** @typedef {'put' | 'get' | 'head'} Op */

/**
 * Each user makes one request after the other, taking turns with the kinds of the mix.
 *
 * @param {import('./place').Probed} place
 * @param {object} how
 * @param {number[]} how.users
 * @param {Op[]} how.mix
 * @param {number} how.requests of each kind, by all users together
 * @param {SharedArrayBuffer} how.held the object
 * @param {AbortSignal} [how.signal]
 * @returns {Promise<import('../types').ProbeUsers[]>} a row for each number of users and kind
 * @throws {import('../types').XferError} the store's error, if no request of a kind succeeds
 */
async function measureUsers(place, { users, mix, requests, held, signal }) {
  const object = await place.write(held)
  const make = { put: place.puts(held, object), get: place.gets(object, object.bytes), head: place.heads(object) }
  // Opens a connection for each, which is not what is asked.
  await Promise.all(Array.from({ length: Math.max(...users) }, () => make.head(0)))
  const rows = []
  for (const count of users) {
    const found = mix.map(op => ({
      op,
      samples: /** @type {import('./numbers').Sample[]} */ ([]),
      errors: 0,
      last: /** @type {unknown} */ (undefined),
    }))
    const startedMs = performance.now()
    const before = process.cpuUsage()
    let begun = 0
    const user = async (/** @type {number} */ lane) => {
      while (begun < requests * mix.length) {
        throwIfAborted(signal)
        const one = found[begun++ % mix.length]
        const fromMs = performance.now()
        const told = await make[one.op](lane).catch(error => ({ error }))
        if (told === 'refused' || 'error' in told) {
          one.errors++
          if (told !== 'refused') one.last = told.error
        } else one.samples.push({ lane, fromMs, toMs: performance.now(), bytes: held.byteLength, ...told })
      }
    }
    await Promise.all(Array.from({ length: count }, (_, lane) => user(lane)))
    const { user: userUs, system: systemUs } = process.cpuUsage(before)
    const cpu = (userUs + systemUs) / 1000 / (performance.now() - startedMs)
    for (const { op, samples, errors, last } of found) {
      if (samples.length === 0 && last !== undefined) throw asXferError(last)
      rows.push({ users: count, op, bytes: held.byteLength, times: timesOf(samples), errors, cpu })
    }
  }
  return rows
}

module.exports = { measureUsers }
