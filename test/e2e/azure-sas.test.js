'use strict'

/** A SAS that the user gives: one without the right to list, or to read tags, and one that expires in the middle of a copy. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startAzureStore } = require('../../sandbox/azure')
const { containerSas } = require('../support/azure-sas')
const { azureServer } = require('../support/ends/azure')
const { KINDS, openEnd, startKinds } = require('../support/ends')
const { startGate } = require('../support/gate')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, sha256: sha256Of } = require('../support/stores')

const MiB = 1024 ** 2
const HOUR_MS = 3_600_000
const LONGEST_MS = 120_000
const BODY = bytesOf(10 * MiB + 1)
const FLAGS = ['--json', '--engine', 'local', '--chunk', '5', '--concurrency', '1']

let servers
let azure
let source
let destination
let state
beforeEach(async () => {
  azure = await startAzureStore()
  servers = [...(await startKinds([KINDS[0]])), { ...azureServer(azure), name: 'sandbox-azure' }]
  source = await openEnd(servers[0], 'origin')
  destination = await openEnd(servers[1], 'target')
  state = await mkdtemp(join(tmpdir(), 'xfer-sas-'))
}, LONGEST_MS)
afterEach(async () => {
  await source.relay.close()
  await destination.relay.close()
  await Promise.all(servers.map(server => server.stop()))
  await rm(state, { recursive: true, force: true })
})

/** @param {string} permissions @param {{ untilMs?: number, endpoint?: string }} [how] */
function envOf(permissions, { untilMs = Date.now() + HOUR_MS, endpoint = destination.relay.endpoint } = {}) {
  const sas = containerSas(azure, 'target', { permissions, untilMs })
  const { XFER_DEST_AZURE_STORAGE_KEY: _, ...dest } = servers[1].env('DEST', endpoint)
  return {
    ...{ ...bareEnv, XDG_STATE_HOME: state },
    ...source.env('SOURCE'),
    ...dest,
    XFER_DEST_AZURE_STORAGE_SAS_TOKEN: sas,
  }
}

/** @param {string[]} args @param {Record<string, string>} env */
async function run(args, env) {
  const ended = await startXfer(args, { env }).ended
  expect(ended.stdout + ended.stderr).not.toContain('sig=')
  return { ...ended, last: eventsOf(ended).at(-1) }
}

test(
  'without the right to list an object is copied, and a prefix is refused by name',
  async () => {
    await source.write('object', { bytes: BODY })
    const one = await run(['copy', source.text('object'), destination.text('copy'), ...FLAGS], envOf('racwd'))
    expect(one).toMatchObject({ status: 0, last: { type: 'done' } })
    expect(sha256Of((await destination.read('copy')).bytes)).toBe(sha256Of(BODY))
    const many = await run(['sync', source.text(''), destination.text('below/'), ...FLAGS], envOf('racwd'))
    expect(many).toMatchObject({ status: 4 })
    expect(`${many.last.message} ${many.last.hint}`).toContain('SAS with sp=l')
  },
  LONGEST_MS,
)

test(
  'without the right to read tags the notice names the permission of the SAS, and no role',
  async () => {
    const tags = { headers: {}, user: {}, tags: [['team', 'blue']] }
    await destination.write('object', { bytes: BODY, attributes: tags })
    const { XFER_SOURCE_AZURE_STORAGE_KEY: _, ...from } = servers[1].env('SOURCE', destination.relay.endpoint)
    const sas = containerSas(azure, 'target', { permissions: 'rl', untilMs: Date.now() + HOUR_MS })
    const env = {
      ...{ ...bareEnv, XDG_STATE_HOME: state, XFER_SOURCE_AZURE_STORAGE_SAS_TOKEN: sas },
      ...{ ...from, ...source.env('DEST') },
    }
    const one = await run(['copy', destination.text('object'), source.text('copy'), ...FLAGS], env)
    expect(one).toMatchObject({ status: 0, last: { type: 'done' } })
    expect(one.stdout).toContain('because sp=t of the SAS is missing (AuthorizationPermissionMismatch)')
    expect(one.stdout).not.toContain('Storage Blob Data Owner')
  },
  LONGEST_MS,
)

test(
  'one that expires in the middle ends the copy with what to do, and another one resumes it',
  async () => {
    await source.write('object', { bytes: BODY })
    const gate = await startGate(destination.relay)
    try {
      let blocks = 0
      const held = gate.hold(({ method, url }) => method === 'PUT' && /[?&]comp=block(&|$)/.test(url) && ++blocks === 2)
      const env = envOf('racwdl', { untilMs: Date.now() + HOUR_MS, endpoint: gate.endpoint })
      const ended = run(['copy', source.text('object'), destination.text('copy'), ...FLAGS], env)
      const goOn = await held
      azure.stepClock(2 * HOUR_MS)
      goOn()
      const { status, last } = await ended
      expect({ status, code: last.code }).toEqual({ status: 4, code: 'CREDENTIALS_EXPIRED' })
      expect(`${last.message} ${last.hint}`).toMatch(/expired|SAS/i)
      const again = envOf('racwdl', { untilMs: Date.now() + 4 * HOUR_MS, endpoint: gate.endpoint })
      const resumed = await run(['resume', '--json'], again)
      expect(resumed).toMatchObject({ status: 0, last: { type: 'done' } })
      // By its control channel: its clock is ahead.
      const [{ bytes }] = (await azure.look('target')).objects
      expect(sha256Of(bytes)).toBe(sha256Of(BODY))
    } finally {
      await gate.close()
    }
  },
  LONGEST_MS,
)
