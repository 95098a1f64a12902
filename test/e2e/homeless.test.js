'use strict'

/** A process without a home folder: HOME is not set, and the system does not know the user, as in a container with any uid. */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { newFolder, openStore, startStore } = require('../support/opened')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, get, put } = require('../support/s3')

let store
let folder
let how
let keys
beforeAll(async () => {
  store = await startStore()
  await createBuckets(store, 'bucket')
  await put(openStore(store, 'bucket'), 'small', bytesOf(1000))
  folder = newFolder()
  // What Node.js does for such a user, who only root could be.
  const preload = join(folder, 'no-user.js')
  const text = 'A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)'
  const fails = `() => { throw Object.assign(new Error(${JSON.stringify(text)}), { code: 'ERR_SYSTEM_ERROR' }) }`
  writeFileSync(preload, `Object.assign(require('node:os'), { homedir: ${fails}, userInfo: ${fails} })`)
  keys = copyEnv(store, store)
  how = (env = keys) => ({ env: { ...env, HOME: undefined, XDG_STATE_HOME: undefined }, nodeArgs: ['-r', preload] })
})

test('a copy has no journal, says so, and goes on', async () => {
  const { status, stdout } = await runXfer(['copy', '--json', 's3://bucket/small', 's3://bucket/copy'], how())
  expect({ status, events: eventsOf({ stdout }) }).toEqual({
    status: 0,
    events: expect.arrayContaining([
      expect.objectContaining({
        ...{ type: 'notice', code: 'JOURNAL_NOT_USED' },
        message:
          'No journal can be kept (there is no home folder, and XDG_STATE_HOME names no other): this copy may not be resumable.',
      }),
    ]),
  })
  expect((await get(openStore(store, 'bucket'), 'copy')).equals(bytesOf(1000))).toBe(true)
})

test.each([
  ['jobs', ['jobs'], 0, /^$/],
  ['resume', ['resume'], 3, /There is no unfinished job/],
  ['doctor', ['doctor', 's3://bucket/small', 's3://bucket/copy'], 0, /^(?!.*INTERNAL)/s],
  ['Google', ['ls', 'gs://bucket/'], 4, /GS_ACCESS_KEY_ID/],
  ['keys that are found nowhere', ['ls', 's3://bucket/'], 4, /XFER_SOURCE_ACCESS_KEY_ID/, {}],
  ['words at a prompt', ['__complete', 'resume', ''], 0, /^$/],
])('%s: nothing fails inside', async (_, args, status, says, env = keys) => {
  expect(await runXfer(args, how(env))).toMatchObject({ status, stderr: expect.stringMatching(says) })
})

test('profiles of a file that a variable names are found, also by the SDK', async () => {
  const config = join(folder, 'config')
  const { endpoint, accessKeyId, secretAccessKey, region } = store
  const said = JSON.stringify({ Version: 1, AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey })
  writeFileSync(join(folder, 'keys'), said)
  writeFileSync(
    config,
    `[default]\nregion = ${region}\nendpoint_url = ${endpoint}\ncredential_process = cat ${join(folder, 'keys')}\n`,
  )
  const { status, stdout, stderr } = await runXfer(['ls', 's3://bucket/small'], how({ AWS_CONFIG_FILE: config }))
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('small')
})
