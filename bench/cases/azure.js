'use strict'

/** One object from a real S3 server to the sandbox's Azure Blob store, both with their data in memory: xfer and rclone. */

const { createHash } = require('node:crypto')
const { once } = require('node:events')
const { existsSync } = require('node:fs')
const { mkdtemp, rm } = require('node:fs/promises')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { bareEnvironment, XFER } = require('../clients')
const { contest } = require('../report')
const { takeTurns } = require('../rounds')
const { openStore, parsePlace, resolveSettings } = require('../../lib/stores')
const { makeBucket, putRandom } = require('../../sandbox/objects')
const { PEERS, findProgram } = require('../../sandbox/peers')
const { sideEnvironment, startMember } = require('../../sandbox/sandbox')

const BUCKET = 'bench'
const KEY = 'big'
const COPY = 'copy'
const GIB = 1024 ** 3
const QUICK_BYTES = 32 * 1024 ** 2

/** @typedef {{ endpoint: string, account: string, key: string }} Azure key: base64 */
/** @typedef {import('../../sandbox/sandbox').StoreAccess} StoreAccess */

/** @param {Azure} azure @param {string} prefix */
const azureEnvironment = ({ endpoint, account, key }, prefix) => ({
  [`${prefix}_ENDPOINT_URL`]: endpoint,
  [`${prefix}_AZURE_STORAGE_ACCOUNT`]: account,
  [`${prefix}_AZURE_STORAGE_KEY`]: key,
})

/** @param {{ source: StoreAccess, azure: Azure, home: string }} job @param {string[]} flags */
function callXfer({ source, azure, home }, flags) {
  const places = [`s3://${BUCKET}/${KEY}`, `az://${azure.account}/${BUCKET}/${COPY}`]
  return {
    command: [process.execPath, XFER, 'copy', ...places, '--engine', 'local', '--quiet', ...flags],
    env: {
      ...bareEnvironment(home),
      ...sideEnvironment('XFER_SOURCE', source),
      ...azureEnvironment(azure, 'XFER_DEST'),
    },
  }
}

/** @param {{ source: StoreAccess, azure: Azure, home: string }} job */
function callRclone({ source, azure, home }) {
  const flags = ['--ignore-times', '--multi-thread-streams', '8', '--multi-thread-chunk-size', '100M']
  const blob = ['--azureblob-chunk-size', '100M', '--azureblob-no-check-container', '--azureblob-disable-checksum']
  return {
    command: [String(findProgram('rclone')), 'copyto', `A:${BUCKET}/${KEY}`, `B:${BUCKET}/${COPY}`, ...flags, ...blob],
    env: {
      ...bareEnvironment(home),
      ...{ RCLONE_CONFIG_A_TYPE: 's3', RCLONE_CONFIG_A_PROVIDER: 'Other' },
      ...{ RCLONE_CONFIG_A_ENDPOINT: source.endpoint, RCLONE_CONFIG_A_REGION: source.region },
      ...{
        RCLONE_CONFIG_A_ACCESS_KEY_ID: source.accessKeyId,
        RCLONE_CONFIG_A_SECRET_ACCESS_KEY: source.secretAccessKey,
      },
      ...{ RCLONE_CONFIG_B_TYPE: 'azureblob', RCLONE_CONFIG_B_ACCOUNT: azure.account },
      ...{ RCLONE_CONFIG_B_KEY: azure.key, RCLONE_CONFIG_B_ENDPOINT: azure.endpoint },
    },
  }
}

/** The container of the copy, as xfer opens it. @param {Azure} azure */
async function openContainer(azure) {
  const place = parsePlace(`az://${azure.account}/${BUCKET}`, 'destination')
  const env = { HOME: '/nowhere', ...azureEnvironment(azure, 'XFER_DEST') }
  return openStore(place, await resolveSettings(place, 'destination', {}, env))
}

/** @param {import('../../lib/types').Store} store @returns {Promise<string>} SHA-256 of the copy */
async function sha256Of(store) {
  const { etag } = await store.head(COPY)
  const { method, url, headers } = (await store.read({ key: COPY, etag })).request
  const request = http.request(url, { method, headers, agent: false }).end()
  const [response] = await once(request, 'response')
  const hash = createHash('sha256')
  for await (const piece of response) hash.update(piece)
  return hash.digest('hex')
}

/** @param {import('../../lib/types').Store} store */
async function removeCopy(store) {
  const head = await store.head(COPY).catch(error => {
    if (error.code !== 'NO_SUCH_KEY') throw error
  })
  if (head) await store.remove({ key: COPY, etag: head.etag })
}

/** @type {import('.').Case} */
const AZURE = {
  name: 'azure',
  title: 'One object from versitygw to Azure Blob (the sandbox)',
  about:
    'Random bytes, from one server to the other, both on this machine with their data in memory. The sandbox checks signatures and ' +
    'computes the CRC-64 of each block, as Azure does.',
  programs: ['versitygw', 'rclone'],
  needs: ['versitygw'],

  async run({ runs, bytes = GIB, quick, home, signal, say }) {
    const size = quick ? QUICK_BYTES : bytes
    const dir = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'xfer-bench-azure-'))
    const source = await /** @type {NonNullable<typeof PEERS.versitygw>} */ (PEERS.versitygw)()
    const member = await startMember('azure', { dir, containers: [BUCKET] })
    const azure = /** @type {Azure} */ (member.ready)
    const store = await openContainer(azure)
    try {
      await makeBucket(source, BUCKET)
      const sum = await putRandom(source, { bucket: BUCKET, key: KEY, bytes: size })
      const job = { source, azure, home }
      const rclone = findProgram('rclone') !== undefined
      const contestants = [
        { name: 'xfer', kind: /** @type {const} */ ('xfer'), bytes: size, call: () => callXfer(job, []) },
        {
          name: 'xfer, --verify none',
          kind: /** @type {const} */ ('xfer'),
          bytes: size,
          call: () => callXfer(job, ['--verify', 'none']),
        },
        ...(rclone
          ? [{ name: 'rclone', kind: /** @type {const} */ ('peer'), bytes: size, call: () => callRclone(job) }]
          : []),
      ]
      const rows = await takeTurns(/** @type {any} */ (contestants), {
        runs,
        servers: [source.pid, member.pid],
        signal,
        say,
        before: () => removeCopy(store),
        check: async () => ((await sha256Of(store)) === sum ? undefined : 'it copied something else'),
      })
      return { rows, leftOut: rclone ? [] : ['rclone, which is not installed'], facts: { bytes: size } }
    } finally {
      store.close()
      await Promise.all([source.close(), member.end()])
      await rm(dir, { recursive: true, force: true })
    }
  },

  tell({ rows, facts: { bytes } }) {
    return { tables: [contest(rows, bytes)], claims: [] }
  },
}

module.exports = { AZURE }
