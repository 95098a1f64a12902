'use strict'

const { execFileSync } = require('node:child_process')
const { join } = require('node:path')
const { unzipSync } = require('fflate')
const { startPlatform } = require('../../sandbox/platform')
const { putRandom } = require('../../sandbox/objects')
const { startStore } = require('../../sandbox/store')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')

let platform
let env
beforeEach(async () => {
  platform = await startPlatform({ limits: { perMinute: 100_000 }, containers: 2 })
  env = { APIHOST: platform.apihost, AUTH: platform.auth }
})
afterEach(() => platform.close())

/** @param {...string} args */
const deploy = (...args) => runXfer(['deploy', ...args], { env })

describe('xfer deploy', () => {
  test('says what it did, in words', async () => {
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

  test('says it in one line of JSON', async () => {
    const said = async (...args) => {
      const { status, stdout, stderr } = await deploy('--json', ...args)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const events = eventsOf({ stdout })
      expect(events).toHaveLength(1)
      const { time, ...event } = events[0]
      expect(new Date(time).toISOString()).toBe(time)
      expect(event).toMatchObject({ type: 'done', apihost: platform.apihost })
      return event
    }
    const name = 'xfer/copy-range'
    expect((await said()).actions).toEqual([{ name, outcome: 'created', version: '0.0.1' }])
    expect((await said()).actions).toEqual([{ name, outcome: 'unchanged', version: '0.0.1' }])
    const [updated] = (await said('--runtime', 'nodejs:18')).actions
    expect(updated).toEqual({ name, outcome: 'updated', version: '0.0.2', changes: ['runtime'] })
    expect(await said('--undeploy')).toMatchObject({
      actions: [{ name, outcome: 'removed', version: '0.0.2' }],
      packages: [{ name: 'xfer', outcome: 'removed' }],
    })
  })

  test('writes the archive for other tools, without a platform', () => {
    const xfer = join(__dirname, '..', '..', 'cli', 'xfer.js')
    const print = () => execFileSync(process.execPath, [xfer, 'deploy', '--print', 'zip'], { env: { PATH: '' } })
    const archive = print()
    expect(archive.equals(print())).toBe(true)
    const files = unzipSync(archive)
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['index.js', 'package.json']))
    expect(Buffer.from(files['index.js']).toString()).toContain('handler')
  })
})

describe('xfer copy', () => {
  test('says that the function is not deployed, also in a dry run', async () => {
    const store = await startStore({ buckets: ['src', 'dst'] })
    try {
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
    } finally {
      await store.close()
    }
  })
})
