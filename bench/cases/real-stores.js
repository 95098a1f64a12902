'use strict'

/** One object from a real S3 server to another of the same kind, both with their data in memory: xfer and its peers. */

const { readdirSync, rmSync } = require('node:fs')
const { freemem } = require('node:os')
const { join } = require('node:path')
const { makeCertificate } = require('../certificate')
const { CLIENTS, sortByPresence } = require('../clients')
const { againstBestPeer, bestPeer, claim, contest, rowNamed } = require('../report')
const { takeTurns } = require('../rounds')
const { makeBucket, open, putRandom, sha256Of } = require('../../sandbox/objects')
const { PEERS } = require('../../sandbox/peers')

const BUCKET = 'bench'
const KEY = 'big'
const COPY = 'copy'
const QUICK_BYTES = 32 * 1024 ** 2
/** The space needed: the object, its parts at the destination, the completed object, and a client's temporary file. */
const TIMES_IN_MEMORY = 4
/** Where MinIO keeps what was deleted, until it empties it some minutes later. */
const TRASH = join('.minio.sys', 'tmp', '.trash')
const SPARE_BYTES = 2 * 1024 ** 3

/** @typedef {import('.').Case} Case */

/**
 * @param {object} what
 * @param {string} what.name
 * @param {'versitygw' | 'minio'} what.server
 * @param {string} what.words of the servers
 * @param {number} what.bytes
 * @param {boolean} [what.tls]
 * @param {string[]} [what.args] of the server
 * @param {boolean} [what.judged] whether there is a target for this case
 * @returns {Case}
 */
function realStores({ name, server, words, bytes: usual, tls = false, args = [], judged = true }) {
  return {
    name,
    title: `One object between two ${words}`,
    about: 'Random bytes, from one server to the other, both on this machine with their data in memory.',
    programs: [server, 'rclone', 'mc', 'aws'],
    needs: [server, ...(tls ? ['openssl'] : [])],

    async run({ runs, bytes = usual, quick, home, signal, say }) {
      const size = quick ? QUICK_BYTES : bytes
      if (freemem() < TIMES_IN_MEMORY * size + SPARE_BYTES) {
        throw new Error(`there is too little memory for ${size} bytes: give a smaller --size`)
      }
      const certificate = tls ? makeCertificate(`${home}/certificate`) : undefined
      const start = /** @type {NonNullable<typeof PEERS.minio>} */ (PEERS[server])
      const options = { args, certificate: certificate?.folder }
      const servers = await Promise.all([start(options), start(options)])
      try {
        const [source, destination] = servers
        for (const one of servers) await makeBucket(one, BUCKET)
        const sum = await putRandom(source, { bucket: BUCKET, key: KEY, bytes: size })
        const job = {
          source,
          destination,
          from: `${BUCKET}/${KEY}`,
          to: `${BUCKET}/${COPY}`,
          bytes: size,
          home,
          ca: certificate?.ca,
        }
        const { present, missing } = sortByPresence([
          ...[CLIENTS.xfer, CLIENTS.xferUnproved, CLIENTS.rclone, CLIENTS.mc, CLIENTS.aws],
        ])
        const contestants = present.map(client => ({ ...client, bytes: size, call: () => client.call(job) }))
        const rows = await takeTurns(contestants, {
          runs,
          servers: servers.map(({ pid }) => pid),
          signal,
          say,
          before: () => removeCopy(destination),
          async check() {
            const copied = await sha256Of(destination, { bucket: BUCKET, key: COPY })
            return copied === sum ? undefined : 'it copied something else'
          },
        })
        return {
          rows,
          leftOut: missing.map(({ name: client }) => `${client}, which is not installed`),
          facts: { bytes: size },
        }
      } finally {
        await Promise.all(servers.map(one => one.close()))
      }
    },

    tell({ rows, facts: { bytes } }) {
      return { tables: [contest(rows, bytes)], claims: judged ? claimsOf(rows, words) : [] }
    },
  }
}

/** Removes the copy, to free the memory, and so that no client finds the object there. @param {import('../../sandbox/peers').Peer} access */
async function removeCopy(access) {
  const store = open(access, BUCKET)
  try {
    const { etag } = await store.head(COPY)
    await store.remove({ key: COPY, etag })
  } catch (error) {
    if (/** @type {import('../../lib/types').XferError} */ (error).code !== 'NO_SUCH_KEY') throw error
  } finally {
    store.close()
  }
  emptyTrash(access.dir)
}

/** @param {string} dir of a server's data; only MinIO has a trash */
function emptyTrash(dir) {
  const trash = join(dir, TRASH)
  try {
    for (const name of readdirSync(trash)) rmSync(join(trash, name), { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
}

/** @param {import('../report').Row[]} rows @param {string} words */
function claimsOf(rows, words) {
  const [proved, unproved] = [CLIENTS.xfer, CLIENTS.xferUnproved].map(({ name }) => rowNamed(rows, name))
  /** @param {import('../report').Row | undefined} row @param {string} figure */
  const against = (row, figure) => row && againstBestPeer(rows, row, figure)
  /** @param {string} figure */
  const detail = figure => bestPeer(rows, figure)?.name
  const cpu = 'cpuSeconds'
  const wall = 'wallSeconds'
  return [
    ...claim(`CPU a byte against the best peer, CRC-32 on, ${words}`, against(proved, cpu), {
      atMost: 1 / 2,
      detail: detail(cpu),
    }),
    ...claim(`CPU a byte against the best peer, CRC-32 off, ${words}`, against(unproved, cpu), {
      atMost: 1 / 3,
      detail: detail(cpu),
    }),
    ...claim(`wall time against the best peer, ${words}`, against(proved, wall), {
      atMost: 0.65,
      detail: detail(wall),
    }),
  ]
}

const GIB_4 = 4 * 1024 ** 3

/** @type {Case[]} */
const REAL = [
  realStores({ name: 'versitygw', server: 'versitygw', words: 'versitygw', bytes: GIB_4 }),
  realStores({ name: 'minio', server: 'minio', words: 'MinIO', bytes: GIB_4 }),
  realStores({
    name: 'versitygw-tls',
    server: 'versitygw',
    words: 'versitygw, over TLS',
    bytes: GIB_4,
    tls: true,
    judged: false,
  }),
  realStores({
    name: 'minio-tls',
    server: 'minio',
    words: 'MinIO (`--no-compat`), over TLS',
    bytes: GIB_4,
    tls: true,
    args: ['--no-compat'],
    judged: false,
  }),
]

module.exports = { REAL }
