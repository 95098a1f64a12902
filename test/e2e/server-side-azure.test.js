'use strict'

/** Copies that a storage account makes by itself from a URL that the source lends: `--route server` between two stores. */

const { startAzureStore, startStore } = require('../support/opened')
const { containerSas } = require('../support/azure-sas')
const { azureServer } = require('../support/ends/azure')
const { s3Server } = require('../support/ends/s3')
const { newStateHome } = require('../support/journals')
const { since } = require('../support/requests')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, sha256 } = require('../support/stores')
const { filesOf } = require('./redaction/secrets')

const MiB = 1024 ** 2
const BODY = bytesOf(26 * MiB)
const FLAGS = ['--json', '--engine', 'local', '--chunk', '5', '--concurrency', '1', '--route', 'server']

let home
let other
let s3
let state
beforeAll(async () => {
  const s3Store = startStore({ defaultChecksum: 'CRC64NVME' })
  const azure = account => startAzureStore({ account, containers: ['source', 'target'] })
  const stores = await Promise.all([azure('homeaccount'), azure('otheraccount'), s3Store])
  ;[home, other, s3] = stores.map((store, i) => ({ store, server: i < 2 ? azureServer(store) : s3Server(store) }))
  await s3.server.create('source')
})
beforeEach(() => {
  state = newStateHome()
})

/** From a source to the container `target`; nothing that was printed or kept may hold a lent URL. @param {typeof home} from @param {string} key */
async function copy(from, key, { target = key, env = {} } = {}) {
  const sides = { ...from.server.env('SOURCE', from.server.endpoint), ...home.server.env('DEST', home.server.endpoint) }
  const args = ['copy', from.server.text('source', key), home.server.text('target', target), ...FLAGS]
  await from.server.write('source', key, { bytes: BODY })
  const before = { ...home.store.requests }
  const ended = await startXfer(args, { env: { ...bareEnv, ...sides, XDG_STATE_HOME: state, ...env } }).ended
  expect([ended.stdout, ended.stderr, filesOf(state)].join('\n')).not.toMatch(/sig=|Signature=|Credential=/)
  const events = eventsOf(ended)
  const notices = events.filter(({ type }) => type === 'notice').map(({ code }) => code)
  expect(sha256((await home.server.read('target', target)).bytes)).toBe(sha256(BODY))
  const { engine, proof } = events.at(-1)
  return { status: ended.status, engine, proof, notices, asked: since(home.store, before) }
}

test.each([
  ['another account', () => other, 'store'],
  ['S3', () => s3, 'stored-crc64nvme'],
])('from %s no byte passes this machine', async (name, of, proof) => {
  const { asked, ...copied } = await copy(of(), `${name}/a whole copy`)
  expect(copied).toEqual({ status: 0, engine: 'server', proof: [proof], notices: [] })
  expect(asked).not.toHaveProperty('PutBlock')
})

const BY_ENGINE = { status: 0, engine: 'local', notices: expect.arrayContaining(['SERVER_COPY_REFUSED']) }

test('a SAS of the user is not given away', async () => {
  const sas = containerSas(other.store, 'source', { permissions: 'rl', untilMs: Date.now() + 3_600_000 })
  const env = { XFER_SOURCE_AZURE_STORAGE_KEY: undefined, XFER_SOURCE_AZURE_STORAGE_SAS_TOKEN: sas }
  const { asked, ...copied } = await copy(other, 'shared', { env })
  expect(copied).toMatchObject(BY_ENGINE)
  expect(asked).not.toHaveProperty('PutBlockFromURL')
})

test('a key that Azure reads wrongly goes through the engine', async () => {
  expect(await copy(s3, 'a+b', { target: 'plus' })).toMatchObject(BY_ENGINE)
})
