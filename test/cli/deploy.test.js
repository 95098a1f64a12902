'use strict'

const { startPlatform } = require('../../sandbox/platform')
const { putRandom } = require('../../sandbox/objects')
const { keep, startStore } = require('../support/opened')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')

let platform
let env
beforeEach(async () => {
  platform = await keep(startPlatform({ limits: { perMinute: 100_000 }, containers: 2 }))
  env = { APIHOST: platform.apihost, AUTH: platform.auth }
})

/** @param {...string} args */
const deploy = (...args) => runXfer(['deploy', ...args], { env })

test('xfer deploy says what it did, in words', async () => {
  const said = async (...args) => {
    const { status, stdout, stderr } = await deploy(...args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout.replaceAll(platform.apihost, 'HOST')
  }
  expect(await said()).toBe('Created xfer/copy-range 0.0.1 on HOST.\n')
  expect(await said()).toBe('xfer/copy-range 0.0.1 on HOST is unchanged.\n')
  expect(await said('--memory', '512', '--timeout', '60')).toBe(
    'Updated xfer/copy-range to 0.0.2 on HOST: timeout, memory.\n',
  )
  expect(await said('--runtime', 'nodejs:18', '--timeout', '60')).toBe(
    'Updated xfer/copy-range to 0.0.3 on HOST: runtime (keeps memory 512 MB).\n',
  )
  expect(await said('--reset')).toBe('Updated xfer/copy-range to 0.0.4 on HOST: runtime, timeout, memory.\n')
  expect(await said('--undeploy')).toBe(
    'Removed xfer/copy-range 0.0.4 from HOST.\nRemoved the package xfer, which was empty.\n',
  )
  expect(await said('--undeploy')).toBe('Nothing to undeploy: there is no xfer/copy-range on HOST.\n')
})

test('xfer copy says that the function is not deployed, also in a dry run', async () => {
  const store = await startStore({ buckets: ['src', 'dst'] })
  await putRandom(store, { bucket: 'src', key: 'object', bytes: 1000 })
  const copy = (...args) =>
    runXfer(['copy', 's3://src/object', 's3://dst/', '--json', ...args], { env: copyEnv(store, store, platform) })
  expect(eventsOf(await copy()).at(-1)).toMatchObject({ code: 'ACTION_NOT_DEPLOYED', exitCode: 5 })
  const events = eventsOf(await copy('--dry-run', '--no-progress'))
  const [note, plan] = events
  expect(note).toMatchObject({ type: 'notice', code: 'ENGINE_NOT_READY' })
  expect(note.message).toMatch(/^A copy would fail now\. .* is not deployed .*\. Run xfer deploy, then .*\.$/)
  expect([plan, events.at(-1)]).toMatchObject([
    { type: 'plan', engine: 'openwhisk' },
    { type: 'done', dryRun: true },
  ])
})
