'use strict'

const { startPlatform } = require('../../sandbox/platform')
const { putRandom } = require('../../sandbox/objects')
const { keep, startStore } = require('../support/opened')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')

const start = () => keep(startPlatform({ limits: { perMinute: 100_000 }, containers: 2 }))

test('xfer deploy says what it did, in words', async () => {
  const platform = await start()
  const env = { APIHOST: platform.apihost, AUTH: platform.auth }
  for (const [flags, says] of [
    ['', 'Created xfer/copy-range 0.0.1 on HOST.'],
    ['', 'xfer/copy-range 0.0.1 on HOST is unchanged.'],
    ['--memory 512 --timeout 60', 'Updated xfer/copy-range to 0.0.2 on HOST: timeout, memory.'],
    ['--runtime nodejs:18 --timeout 60', 'Updated xfer/copy-range to 0.0.3 on HOST: runtime (keeps memory 512 MB).'],
    ['--timeout 120', 'Updated xfer/copy-range to 0.0.4 on HOST: timeout (keeps memory 512 MB, runtime nodejs:18).'],
    ['--reset --memory 512', 'Updated xfer/copy-range to 0.0.5 on HOST: runtime, timeout.'],
    ['--reset', 'Updated xfer/copy-range to 0.0.6 on HOST: memory.'],
    ['--undeploy', 'Removed xfer/copy-range 0.0.6 from HOST.\nRemoved the package xfer, which was empty.'],
    ['--undeploy', 'Nothing to undeploy: there is no xfer/copy-range on HOST.'],
  ]) {
    const { stdout, ...how } = await runXfer(['deploy', ...flags.split(' ').filter(Boolean)], { env })
    expect(how).toEqual({ status: 0, stderr: '' })
    expect(stdout.replaceAll(platform.apihost, 'HOST')).toBe(`${says}\n`)
  }
})

test('xfer copy says that the function is not deployed, also in a dry run', async () => {
  const store = await startStore({ buckets: ['src', 'dst'] })
  await putRandom(store, { bucket: 'src', key: 'object', bytes: 1000 })
  const env = copyEnv(store, store, await start())
  const copy = (...args) => runXfer(['copy', 's3://src/object', 's3://dst/', '--json', ...args], { env })
  expect(eventsOf(await copy()).at(-1)).toMatchObject({ code: 'ACTION_NOT_DEPLOYED', exitCode: 5 })
  const events = eventsOf(await copy('--dry-run', '--no-progress'))
  const [note, plan] = events
  expect(note).toMatchObject({ type: 'notice', code: 'ENGINE_NOT_READY' })
  expect(note.message).toMatch(/^A copy would fail now\. .* is not deployed .*\. Run xfer deploy, then .*\.$/)
  expect(plan).toMatchObject({ type: 'plan', engine: 'openwhisk' })
  expect(events.at(-1)).toMatchObject({ type: 'done', dryRun: true })
})
