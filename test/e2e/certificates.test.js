'use strict'

/** Stores and a platform whose certificates a private authority gave: refused as they are, trusted when it is named. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { openRoute, expectDiscreet } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put, sha256 } = require('../support/s3')
const { AUTHORITY, startTlsRelay } = require('../support/tls')

const BYTES = bytesOf(11 * 1024 ** 2)

let server
let platform
let relay
let front
let route
let dir
/** And the platform, too. */
let behind
/** And the platform as it is. */
let beside

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'xfer-certificates-'))
  ;[server, platform] = await Promise.all([startStore(), startDeployed()])
  ;[relay, front] = await Promise.all([startTlsRelay(server.port), startTlsRelay(platform.port)])
  const there = { ...server, endpoint: relay.endpoint }
  beside = copyEnv(there, there, platform)
  behind = copyEnv(there, there, { apihost: front.endpoint, auth: platform.auth })
  route = await openRoute({ source: server, buckets: { from: 'source', to: 'target' } })
  await put(route.from, 'object', BYTES)
})
afterAll(async () => {
  route?.close()
  await Promise.all([relay?.close(), front?.close()])
  await Promise.all([server?.close(), platform?.close(), rm(dir, { recursive: true, force: true })])
})

let count = 0
/** @param {string[]} flags @param {Record<string, string>} variables @param {string} engine */
async function copy(flags, variables, engine) {
  const key = `copy-${++count}`
  const args = [
    'copy',
    's3://source/object',
    `s3://target/${key}`,
    '--json',
    '--chunk',
    '5',
    '--engine',
    engine,
    ...flags,
  ]
  const run = await runXfer(args, { env: variables })
  expectDiscreet(run, variables)
  expect(run.stderr).toBe('')
  const events = eventsOf(run)
  const last = events.at(-1)
  const right = run.status === 0 && sha256(await get(route.to, key)) === sha256(BYTES)
  return { status: run.status, last, right, events }
}

describe('a copy through functions', () => {
  it('is refused by functions that were not given the authority, though this machine was', async () => {
    const { status, last, events } = await copy(['--ca-bundle', AUTHORITY], beside, 'openwhisk')
    expect({ status, code: last.code }).toEqual({ status: 1, code: 'CERTIFICATE_REFUSED' })
    expect(last.message).toContain(`The certificate of ${relay.endpoint} is not trusted by functions (`)
    expect(last.hint).toContain('by xfer deploy --ca-bundle')
    expect(events.filter(({ type }) => type === 'retry')).toEqual([])
  })

  it('is made by functions that were given it, over a platform that has such a certificate, too', async () => {
    const refused = await runXfer(['deploy'], { env: behind })
    expect({ status: refused.status, stderr: refused.stderr }).toEqual({
      status: 5,
      stderr: expect.stringContaining(`The certificate of ${front.endpoint} is not trusted`),
    })
    expect(refused.stderr).toContain('by --ca-bundle')
    const deploy = async (...flags) => (await runXfer(['deploy', ...flags], { env: behind })).stdout
    const bundle = ['--ca-bundle', AUTHORITY]
    expect(await deploy(...bundle)).toContain('Updated xfer/copy-range to 0.0.2 on ')
    expect(await deploy(...bundle)).toContain('is unchanged.')

    const { status, right } = await copy(bundle, behind, 'openwhisk')
    expect({ status, right }).toEqual({ status: 0, right: true })
    const asked = await runXfer(['doctor', 's3://source/object', 's3://target/new', ...bundle], { env: behind })
    expect({ status: asked.status, marks: asked.stdout.match(/^[^✓ \d]/gm) }).toEqual({ status: 0, marks: null })
    expect(asked.stdout).toContain('and trust a certificate beside the usual ones.')

    const variable = { ...behind, AWS_CA_BUNDLE: AUTHORITY }
    const kept = await runXfer(['deploy'], { env: variable })
    expect(kept.stdout).toContain('is unchanged (keeps its CA bundle).')
    const reset = await runXfer(['deploy', '--reset'], { env: variable })
    expect(reset.stdout).toContain(': ca-bundle.')
  })
})
