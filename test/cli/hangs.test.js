'use strict'

/** What the system never answers holds no command up for ever. */

const { execFileSync } = require('node:child_process')
const { open } = require('node:fs/promises')
const { join } = require('node:path')
const { keep, newFolder, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { eventsOf, runXfer, startXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const LARGE = bytesOf(11 * 1024 ** 2)

let store
let route
let folder
beforeAll(async () => {
  folder = newFolder()
  store = await startStore()
  route = await openRoute({ source: store })
  await put(route.from, 'large', LARGE)
})

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('where no folder can be made, although its parent exists, a copy goes on without a journal', async () => {
  const env = { ...route.env, XDG_STATE_HOME: '/proc/none' }
  const { status, stdout } = await runXfer(['copy', '--json', 's3://source/large', 's3://target/large'], { env })
  expect(status).toBe(0)
  expect(eventsOf({ stdout })).toContainEqual(expect.objectContaining({ type: 'notice', code: 'JOURNAL_NOT_USED' }))
  expect((await get(route.to, 'large')).equals(LARGE)).toBe(true)
})

const onPosix = process.platform === 'win32' ? test.skip : test

onPosix('SIGTERM ends a command whose configuration is a pipe that nobody writes to', async () => {
  const pipe = join(folder, 'config')
  execFileSync('mkfifo', [pipe])
  const env = { ...route.env, AWS_CONFIG_FILE: pipe }
  const { child, ended } = startXfer(['copy', 's3://source/large', 's3://target/other'], { env })
  await keep(open(pipe, 'w'))
  child.kill('SIGTERM')
  const stderr = 'xfer: stopping; press Ctrl-C again to exit at once.\nxfer: exiting at once.\n'
  expect(await ended).toMatchObject({ status: null, signal: 'SIGINT', stderr })
})
