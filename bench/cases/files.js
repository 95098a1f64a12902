'use strict'

/** Files of this machine up to versitygw, and objects down to files: many small ones, and a large one. */

const { createHash, randomFillSync } = require('node:crypto')
const { createReadStream, mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs')
const { open } = require('node:fs/promises')
const { join } = require('node:path')
const { pipeline } = require('node:stream/promises')
const { bareEnvironment, XFER } = require('../clients')
const { bestPeer, finished, medianOf } = require('../report')
const { takeTurns } = require('../rounds')
const { makeBucket, putRandom, sha256Of } = require('../../sandbox/objects')
const { PEERS, findProgram } = require('../../sandbox/peers')
const { BUCKET, FROM, listAll, putTree, removeAll } = require('./tree')

const COPY = 'copy/'
const KIB = 1024
const MIB = 1024 ** 2
/** A folder with more makes every client slow. */
const FILES_A_FOLDER = 1_000

/** @typedef {import('../../sandbox/sandbox').StoreAccess} StoreAccess */
/** @typedef {{ store: StoreAccess, home: string, folder: string, many: boolean }} Job folder: of the files, with a slash at the end */
/** @typedef {{ name: string, kind: 'xfer' | 'peer', needs?: string, settings: string, up: (job: Job) => Call, down: (job: Job) => Call }} Client */
/** @typedef {import('../clients').Call} Call */

/** @param {Job} job @returns {Call['env']} for clients that read AWS's variables */
function awsEnvironment({ store, home }) {
  return {
    ...bareEnvironment(home),
    AWS_ACCESS_KEY_ID: store.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
    AWS_REGION: store.region,
    AWS_ENDPOINT_URL: store.endpoint,
  }
}

/** @param {Job} job @param {string[]} ends @returns {Call} */
function callXfer(job, ends) {
  const recursive = job.many ? ['-r'] : []
  return { command: [process.execPath, XFER, 'copy', ...recursive, ...ends, '--quiet'], env: awsEnvironment(job) }
}

/** @param {Job} job @param {string[]} ends @param {string[]} [flags] @returns {Call} */
function callRclone({ store, home, many }, ends, flags = []) {
  const command = [String(findProgram('rclone')), many ? 'copy' : 'copyto', ...ends, '--s3-no-check-bucket', ...flags]
  const remote = {
    RCLONE_CONFIG_A_TYPE: 's3',
    RCLONE_CONFIG_A_PROVIDER: 'Other',
    RCLONE_CONFIG_A_ENDPOINT: store.endpoint,
    RCLONE_CONFIG_A_ACCESS_KEY_ID: store.accessKeyId,
    RCLONE_CONFIG_A_SECRET_ACCESS_KEY: store.secretAccessKey,
    RCLONE_CONFIG_A_REGION: store.region,
  }
  return { command, env: { ...bareEnvironment(home), ...remote } }
}

/** @param {Job} job @param {string[]} ends @returns {Call} */
function callS5cmd(job, ends) {
  const env = awsEnvironment(job)
  return {
    command: [String(findProgram('s5cmd')), '--log', 'error', 'cp', ...ends],
    env: { ...env, S3_ENDPOINT_URL: job.store.endpoint },
  }
}

/** @param {Job} job @param {string[]} ends @returns {Call} */
function callAws(job, ends) {
  const recursive = job.many ? ['--recursive'] : []
  return {
    command: [String(findProgram('aws')), 's3', 'cp', ...ends, '--quiet', ...recursive],
    env: awsEnvironment(job),
  }
}

const object = (/** @type {Job} */ { many }, /** @type {string} */ prefix) => `${prefix}${many ? '' : 'big'}`
const files = (/** @type {Job} */ { many, folder }) => `${folder}${many ? '' : 'big'}`
const url = (/** @type {Job} */ job, /** @type {string} */ prefix) => `s3://${BUCKET}/${object(job, prefix)}`
const remote = (/** @type {Job} */ job, /** @type {string} */ prefix) => `A:${BUCKET}/${object(job, prefix)}`

/** @param {string} name @param {string} settings @param {string[]} [flags] @returns {Client} */
const rclone = (name, settings, flags) => ({
  name,
  kind: 'peer',
  needs: 'rclone',
  settings,
  up: job => callRclone(job, [files(job), remote(job, COPY)], flags),
  down: job => callRclone(job, [remote(job, FROM), files(job)], flags),
})

/** @type {Client[]} */
const CLIENTS = [
  {
    name: 'xfer',
    kind: 'xfer',
    settings: 'its defaults: every file and object is proved, and every file is synced before it has its name',
    up: job => callXfer(job, [files(job), url(job, COPY)]),
    down: job => callXfer(job, [url(job, FROM), files(job)]),
  },
  rclone('rclone', '`copy` with its defaults, and no question for the bucket'),
  rclone('rclone, 32 at once', 'the same with `--transfers 32 --checkers 32`', [
    '--transfers',
    '32',
    '--checkers',
    '32',
  ]),
  {
    name: 's5cmd',
    kind: 'peer',
    needs: 's5cmd',
    settings: '`cp` with its defaults (256 workers)',
    up: job => callS5cmd(job, [job.many ? `${job.folder}*` : files(job), url(job, COPY)]),
    down: job => callS5cmd(job, [job.many ? `${url(job, FROM)}*` : url(job, FROM), files(job)]),
  },
  {
    name: 'aws s3 cp',
    kind: 'peer',
    needs: 'aws',
    settings: '`--recursive` with its defaults',
    up: job => callAws(job, [files(job), url(job, COPY)]),
    down: job => callAws(job, [url(job, FROM), files(job)]),
  },
]

/** Makes random files. @param {string} folder @param {{ count: number, bytes: number }} what */
async function makeFiles(folder, { count, bytes }) {
  if (count === 1) {
    const file = await open(join(folder, 'big'), 'w')
    const piece = Buffer.alloc(Math.min(bytes, 8 * MIB))
    for (let left = bytes; left > 0; left -= piece.length)
      await file.write(randomFillSync(piece), 0, Math.min(left, piece.length))
    return await file.close()
  }
  const content = Buffer.alloc(bytes)
  for (let i = 0; i < count; i++) {
    const below = join(folder, String(Math.floor(i / FILES_A_FOLDER)))
    if (i % FILES_A_FOLDER === 0) mkdirSync(below)
    writeFileSync(join(below, `${i}.bin`), randomFillSync(content))
  }
}

/** @param {string} folder @returns {number} files below it */
function countFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length
}

/** @param {string} path @returns {Promise<string>} */
async function sha256OfFile(path) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * @param {{ name: string, title: string, direction: 'up' | 'down', count: number, bytes: number, quick: { count: number, bytes: number } }} what
 * @returns {import('.').Case}
 */
function filesCase({ name, title, direction, quick: small, ...usual }) {
  return {
    name,
    title,
    about: 'Files in memory (`/dev/shm`, where syncing costs nothing), one versitygw with its data in memory.',
    programs: ['versitygw', 'rclone', 's5cmd', 'aws'],
    needs: ['versitygw'],

    async run({ runs, quick, home, signal, say }) {
      const { count, bytes } = quick ? small : usual
      const start = /** @type {NonNullable<typeof PEERS.versitygw>} */ (PEERS.versitygw)
      const store = await start({ args: ['--keep-alive'] })
      const folder = `${home}/files/`
      const job = { store, home, folder, many: count > 1 }
      try {
        await makeBucket(store, BUCKET)
        mkdirSync(folder)
        /** @type {string | undefined} of the one large object */
        let sum
        if (direction === 'up') await makeFiles(folder, { count, bytes })
        else if (count > 1) await putTree(store, [{ count, bytes }])
        else sum = await putRandom(store, { bucket: BUCKET, key: `${FROM}big`, bytes })
        if (direction === 'up' && count === 1) sum = await sha256OfFile(`${folder}big`)
        const present = CLIENTS.filter(({ needs }) => needs === undefined || findProgram(needs) !== undefined)
        const missing = CLIENTS.filter(client => !present.includes(client))
        const rows = await takeTurns(
          present.map(client => ({ ...client, bytes: count * bytes, call: () => client[direction](job) })),
          {
            runs,
            warmUp: false,
            servers: [store.pid],
            signal,
            say,
            async before() {
              if (direction === 'up') return await removeAll(store, COPY)
              rmSync(folder, { recursive: true, force: true })
              mkdirSync(folder)
            },
            async check() {
              if (count === 1) {
                const found =
                  direction === 'up'
                    ? await sha256Of(store, { bucket: BUCKET, key: `${COPY}big` })
                    : await sha256OfFile(`${folder}big`)
                return found === sum ? undefined : 'it copied something else'
              }
              const found = direction === 'up' ? (await listAll(store, COPY)).size : countFiles(folder)
              return found === count ? undefined : `${found} of ${count} are there`
            },
          },
        )
        return {
          rows,
          leftOut: missing.map(client => `${client.name}, which is not installed`),
          facts: { count, bytes },
        }
      } finally {
        await store.close()
      }
    },

    tell({ rows, facts: { count } }) {
      const best = bestPeer(rows, 'wallSeconds')
      const head = ['client', 'wall, s', 'CPU, s', 'peak MB', 'objects/s', 'wall, against the best peer']
      const cells = (/** @type {import('../report').Row} */ row) => {
        const wall = medianOf(row, 'wallSeconds')
        return [
          row.name,
          wall.toFixed(2),
          medianOf(row, 'cpuSeconds').toFixed(2),
          (medianOf(row, 'peakBytes') / 1e6).toFixed(0),
          count > 1 ? (count / wall).toFixed(0) : '–',
          best ? (wall / medianOf(best, 'wallSeconds')).toFixed(2) : '–',
        ]
      }
      const failed = rows.filter(row => row.failed).map(row => [row.name, String(row.failed), '', '', '', ''])
      return { tables: [{ head, rows: [...finished(rows).map(cells), ...failed] }], claims: [] }
    },
  }
}

const SMALL = { count: 100_000, bytes: 4 * KIB, quick: { count: 60, bytes: 4 * KIB } }
const LARGE = { count: 1, bytes: 4 * 1024 * MIB, quick: { count: 1, bytes: 101 * MIB } }

const FILES = [
  filesCase({ name: 'files-up', title: '100,000 files of 4 KiB up', direction: 'up', ...SMALL }),
  filesCase({ name: 'files-down', title: '100,000 objects of 4 KiB down to files', direction: 'down', ...SMALL }),
  filesCase({ name: 'file-up', title: 'One file of 4 GiB up', direction: 'up', ...LARGE }),
  filesCase({ name: 'file-down', title: 'One object of 4 GiB down to a file', direction: 'down', ...LARGE }),
]

module.exports = { FILES }
