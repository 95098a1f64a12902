'use strict'

/** Many small objects from one versitygw to another: what a client pays for each. */

const { CLIENTS, sortByPresence } = require('../clients')
const { againstBestPeer, medianOf } = require('../report')
const { takeTurns } = require('../rounds')
const { makeBucket, open, putRandom } = require('../../sandbox/objects')
const { PEERS } = require('../../sandbox/peers')

const BUCKET = 'bench'
const FROM = 'many/'
const OBJECTS = 2000
const QUICK_OBJECTS = 40
const BYTES = 16 * 1024
const WRITERS = 8

/** @typedef {import('../../sandbox/sandbox').StoreAccess} StoreAccess */

/** @param {StoreAccess} access @param {number} count */
async function putMany(access, count) {
  let next = 0
  const writer = async () => {
    while (next < count) await putRandom(access, { bucket: BUCKET, key: `${FROM}${next++}`, bytes: BYTES })
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

/** @param {StoreAccess} access @param {string} prefix @returns {Promise<Map<string, { key: string, etag: string }>>} by the name below the prefix */
async function listAll(access, prefix) {
  const store = open(access, BUCKET)
  try {
    const found = new Map()
    /** @type {string | undefined} */
    let marker
    do {
      const { objects, next } = await store.list({ prefix, marker })
      for (const { key, etag } of objects) found.set(key.slice(prefix.length), { key, etag })
      marker = next
    } while (marker !== undefined)
    return found
  } finally {
    store.close()
  }
}

/** @param {StoreAccess} access @param {string} prefix */
async function removeAll(access, prefix) {
  const found = await listAll(access, prefix)
  const store = open(access, BUCKET)
  try {
    for (const object of found.values()) await store.remove(object)
  } finally {
    store.close()
  }
}

/** @type {import('./index').Case} */
const MANY_OBJECTS = {
  name: 'many-objects',
  title: '2,000 objects of 16 KiB between two versitygw',
  about:
    'All objects below a prefix. `xfer` copies one object a command yet, so that it is left out: copying what is below a prefix is an ' +
    'issue of its own, and this case waits for it. The others: `rclone copy --transfers 32 --checkers 32`, `mc cp --recursive`, ' +
    '`aws s3 cp --recursive` down and up, each beside its settings for one object.',
  programs: ['versitygw', 'rclone', 'mc', 'aws'],
  needs: ['versitygw'],

  async run({ runs, quick, home, signal, say }) {
    const count = quick ? QUICK_OBJECTS : OBJECTS
    const start = /** @type {NonNullable<typeof PEERS.versitygw>} */ (PEERS.versitygw)
    const servers = await Promise.all([start(), start()])
    try {
      const [source, destination] = servers
      for (const one of servers) await makeBucket(one, BUCKET)
      await putMany(source, count)
      const known = await listAll(source, FROM)
      const { present, missing } = sortByPresence([CLIENTS.rclone, CLIENTS.mc, CLIENTS.aws])
      const job = { source, destination, from: `${BUCKET}/${FROM}`, to: `${BUCKET}/copy/`, bytes: count * BYTES, home }
      const contestants = present.map(({ name, kind, callForAll }) => ({
        name,
        kind,
        bytes: job.bytes,
        call: () => /** @type {NonNullable<typeof callForAll>} */ (callForAll)(job),
      }))
      const rows = await takeTurns(contestants, {
        runs,
        servers: servers.map(({ pid }) => pid),
        signal,
        say,
        before: () => removeAll(destination, 'copy/'),
        async check() {
          const copied = await listAll(destination, 'copy/')
          const wrong = [...known].filter(([name, { etag }]) => copied.get(name)?.etag !== etag).length
          return wrong === 0 ? undefined : `${wrong} of ${count} objects are missing or are others`
        },
      })
      const leftOut = [
        'xfer, which copies one object a command yet',
        ...missing.map(({ name }) => `${name}, which is not installed`),
      ]
      return { rows, leftOut, facts: { count } }
    } finally {
      await Promise.all(servers.map(one => one.close()))
    }
  },

  tell({ rows, facts: { count } }) {
    const each = (/** @type {import('../report').Row} */ row, /** @type {string} */ figure) =>
      ((medianOf(row, figure) / count) * 1000).toFixed(2)
    return {
      tables: [
        {
          head: [
            'client',
            'wall, s',
            'wall an object, ms',
            'CPU an object, ms',
            "servers' CPU an object, ms",
            'peak MB',
            'against the best',
          ],
          rows: rows.map(row =>
            row.failed
              ? [row.name, row.failed, '', '', '', '', '']
              : [
                  row.name,
                  medianOf(row, 'wallSeconds').toFixed(2),
                  each(row, 'wallSeconds'),
                  each(row, 'cpuSeconds'),
                  each(row, 'serverCpuSeconds'),
                  (medianOf(row, 'peakBytes') / 1e6).toFixed(0),
                  againstBestPeer(rows, row, 'wallSeconds')?.toFixed(2) ?? '',
                ],
          ),
        },
      ],
      claims: [],
    }
  },
}

module.exports = { MANY_OBJECTS }
