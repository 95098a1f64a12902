'use strict'

/** Copies that a storage account makes by itself from a URL that the source lends: `--route server` between two stores. */

const { startAzureStore, startStore } = require('../support/opened')
const { containerSas } = require('../support/azure-sas')
const { azureServer } = require('../support/ends/azure')
const { s3Server } = require('../support/ends/s3')
const { newStateHome } = require('../support/journals')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, sha256: sha256Of } = require('../support/stores')
const { filesOf } = require('./redaction/secrets')

jest.setTimeout(120_000)

const MiB = 1024 ** 2
const BODY = bytesOf(26 * MiB)
const FLAGS = ['--json', '--engine', 'local', '--chunk', '5', '--concurrency', '1', '--route', 'server']
const PULL = 'PutBlockFromURL'

let home
let other
let s3
let state
beforeAll(async () => {
  ;[home, other, s3] = await Promise.all([start('home'), start('other'), startS3()])
})
beforeEach(() => {
  state = newStateHome()
})
afterEach(async () => {
  for (const { store } of [home, other, s3]) store.faults.clear()
})

/** @param {string} account */
async function start(account) {
  const store = await startAzureStore({ account: `${account}account` })
  const server = azureServer(store)
  await Promise.all(['source', 'target'].map(name => server.create(name)))
  return { store, server }
}

async function startS3() {
  const store = await startStore({ defaultChecksum: 'CRC64NVME' })
  const server = s3Server(store)
  await server.create('source')
  return { store, server }
}

/** @param {typeof home} from @param {string} key @param {{ flags?: string[], target?: string }} [how] */
function begin(from, key, { flags = [], target = key } = {}) {
  const args = ['copy', from.server.text('source', key), home.server.text('target', target), ...FLAGS, ...flags]
  return startXfer(args, { env: envOf(from) })
}

/** @param {typeof home} from */
function envOf(from) {
  const source = from.server.env('SOURCE', from.server.endpoint)
  return { ...bareEnv, XDG_STATE_HOME: state, ...source, ...home.server.env('DEST', home.server.endpoint) }
}

/** Nothing that was printed or kept may hold a lent URL. @param {any} started */
async function endOf(started) {
  const ended = await started.ended
  expect([ended.stdout, ended.stderr, filesOf(state)].join('\n')).not.toMatch(/sig=|Signature=|Credential=/)
  const events = eventsOf(ended)
  const notices = events.filter(({ type }) => type === 'notice').map(({ code }) => code)
  return { status: ended.status, events, last: events.at(-1), notices }
}

/** @param {string} key */
async function expectCopied(key) {
  expect(sha256Of((await home.server.read('target', key)).bytes)).toBe(sha256Of(BODY))
}

describe.each([
  ['another account', () => other, ['store']],
  ['S3', () => s3, ['stored-crc64nvme']],
])('from %s', (name, of, proof) => {
  /** @param {string} key */
  const put = async key => await of().server.write('source', key, { bytes: BODY })
  const keyOf = words => `${name}/${words}`

  test('no byte passes this machine', async () => {
    const key = keyOf('a whole copy')
    await put(key)
    const blocks = home.store.requests.PutBlock ?? 0
    const { status, last, notices } = await endOf(begin(of(), key))
    expect({ status, engine: last.engine, notices }).toEqual({ status: 0, engine: 'server', notices: [] })
    expect(last.proof).toEqual(proof)
    expect(home.store.requests.PutBlock ?? 0).toBe(blocks)
    await expectCopied(key)
  })
})

test('a SAS of the user is not given away', async () => {
  await other.server.write('source', 'shared', { bytes: BODY })
  const untilMs = Date.now() + 3_600_000
  const { XFER_SOURCE_AZURE_STORAGE_KEY: _, ...env } = envOf(other)
  const sas = containerSas(other.store, 'source', { permissions: 'rl', untilMs })
  const args = ['copy', other.server.text('source', 'shared'), home.server.text('target', 'shared'), ...FLAGS]
  const asked = home.store.requests[PULL]
  const started = startXfer(args, { env: { ...env, XFER_SOURCE_AZURE_STORAGE_SAS_TOKEN: sas } })
  const { status, last, notices } = await endOf(started)
  expect({ status, engine: last.engine }).toEqual({ status: 0, engine: 'local' })
  expect(notices).toContain('SERVER_COPY_REFUSED')
  expect(home.store.requests[PULL]).toBe(asked)
})

test('a key that Azure reads wrongly goes through the engine', async () => {
  await s3.server.write('source', 'a+b', { bytes: BODY })
  const { status, last, notices } = await endOf(begin(s3, 'a+b', { target: 'plus' }))
  expect({ status, engine: last.engine }).toEqual({ status: 0, engine: 'local' })
  expect(notices).toContain('SERVER_COPY_REFUSED')
  await expectCopied('plus')
})
