'use strict'

/** Where a side is, who we are there, and what the policies of docs/guides/permissions.md allow. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { openJournals } = require('../../lib/journal')
const { identify } = require('../../lib/stores')
const { openStore, startDeployed, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { makeHome } = require('../support/home')
const { jobFiles, newStateHome } = require('../support/journals')
const { bareEnv, copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put, uploadsOf } = require('../support/s3')

/** A location with a profile, `s3://profile@bucket/key`, is for the user to read and type again. */
test('a location leads nowhere else than its job: a journal in which it differs from its objects is refused', async () => {
  const [source, destination] = [await startStore({ buckets: ['photos'] }), await startStore({ buckets: ['photos'] })]
  await put(openStore(source, 'photos'), 'raid.tar', bytesOf(1000))
  const section = (name, { endpoint, region, accessKeyId, secretAccessKey }) =>
    `[profile ${name}]\nendpoint_url = ${endpoint}\nregion = ${region}\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
  const config = section('aws', source) + section('minio', destination)
  const env = { ...bareEnv, HOME: makeHome({ '.aws/config': config }), XDG_STATE_HOME: newStateHome() }
  const end = (bucket, { endpoint }, typed) => ({
    ...{ text: `s3://${bucket}/raid.tar`, typed },
    place: identify({ scheme: 's3', container: bucket, key: 'raid.tar' }, { endpoint }).id,
  })
  const journal = await openJournals({ env }).create({
    source: end('photos', source, 's3://aws@photos/raid.tar'),
    destination: end('elsewhere', destination, 's3://minio@photos/victim'),
    options: { engine: 'local', source: { profile: 'aws' }, destination: { profile: 'minio' } },
  })
  await journal.close()
  const stderr = expect.stringContaining('other endpoints than those that are configured now')
  expect(await runXfer(['resume'], { env })).toMatchObject({ status: 2, stderr })
  expect(await keysOf(openStore(destination, 'photos'), 'victim')).toEqual([])
})

/** What the policies of docs/guides/permissions.md allow is enough. */
const TEXT = readFileSync(join(__dirname, '..', '..', 'docs', 'guides', 'permissions.md'), 'utf8')
const LARGE = bytesOf(16 * 1024 ** 2)
const SMALL = bytesOf(1000)

/** The actions of a policy in docs/guides/permissions.md. @param {'source' | 'destination'} side @returns {string[]} */
function policyOf(side) {
  const [, json] = new RegExp(`<!-- policy:${side} -->\\s+\`\`\`json\n([\\s\\S]*?)\`\`\``).exec(TEXT)
  return JSON.parse(json).Statement.flatMap(({ Action }) => Action)
}

const account = (name, actions) => ({ accessKeyId: name, secretAccessKey: `secret-of-${name}`, actions })
const ALL = { source: account('reader', policyOf('source')), destination: account('writer', policyOf('destination')) }

let server
let platform
let root
let state

beforeAll(async () => {
  const owner = { accessKeyId: 'owner', secretAccessKey: 'secret-of-owner' }
  ;[server, platform] = await Promise.all([startStore({ accounts: [owner, ...Object.values(ALL)] }), startDeployed()])
  root = await openRoute({ source: server })
  await put(root.from, 'large', LARGE)
  await put(root.from, 'small', SMALL)
})
beforeEach(() => {
  state = newStateHome()
})
afterEach(() => server.faults.clear())

/** @param {string[]} args */
async function run(args) {
  const env = copyEnv({ ...server, ...ALL.source }, { ...server, ...ALL.destination }, platform)
  const { status, stdout, stderr } = await runXfer([...args, '--json'], { env: { ...env, XDG_STATE_HOME: state } })
  expect(stderr).toBe('')
  return { status, last: eventsOf({ stdout }).at(-1) }
}

/** @param {string} from @param {string} to @param {string[]} flags */
const copy = (from, to, ...flags) => ['copy', `s3://source/${from}`, `s3://target/${to}`, '--chunk', '5', ...flags]

/** Begins a copy that ends in its middle, and is kept. @param {string} key */
async function begin(key) {
  server.faults.add({ operation: 'UploadPart', partNumber: 2, key, status: 400, code: 'InvalidArgument' })
  expect(await run(copy('large', key, '--engine', 'local', '--concurrency', '1'))).toMatchObject({ status: 1 })
  server.faults.clear()
}

it.each([
  ['in parts', 'local', 'large', LARGE, []],
  ['where nothing is', 'local', 'large', LARGE, ['--no-clobber']],
  ['in parts', 'openwhisk', 'large', LARGE, []],
  ['as a whole', 'openwhisk', 'small', SMALL, []],
])('an object is copied %s, by %s (%#)', async (_, engine, from, bytes, flags) => {
  const to = `all-${engine}-${from}-${flags.length}`
  expect(await run(copy(from, to, '--engine', engine, ...flags))).toMatchObject({ status: 0 })
  expect((await get(root.to, to)).equals(bytes)).toBe(true)
})

it('a copy that was begun is gone on with', async () => {
  await begin('resumed')
  const { status, last } = await run(['resume'])
  expect([status, last.resumedBytes > 0]).toEqual([0, true])
  expect((await get(root.to, 'resumed')).equals(LARGE)).toBe(true)
})

it.each([
  ['given up', () => ['abort', jobFiles(state)[0].replace('.journal', '')]],
  ['begun anew', key => copy('large', key, '--engine', 'local', '--restart')],
])('a copy that was begun can be %s', async (what, args) => {
  const key = what.replace(' ', '-')
  await begin(key)
  expect(await run(args(key))).toMatchObject({ status: 0 })
  expect(await uploadsOf(root.to, key)).toEqual([])
})
