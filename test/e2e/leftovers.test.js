'use strict'

/** What a job that ended early keeps: the condition that was given last, and no password. */

const { readFileSync } = require('node:fs')
const { copy, resume } = require('../../lib')
const { openJournals } = require('../../lib/journal')
const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { newStateHome } = require('../support/journals')
const { bytesOf, get, put } = require('../support/s3')

let server
let route
let env
beforeEach(async () => {
  server = await startStore({ rememberCompletions: false })
  route = await openRoute({ source: server })
  await put(route.from, 'big', bytesOf(11 * 1024 ** 2))
  const state = newStateHome()
  env = { ...route.env, HOME: state, XDG_STATE_HOME: state }
  server.faults.add({ operation: 'UploadPart', partNumber: 3, status: 500 })
})

/** How a copy fails. @param {object} [options] */
const failure = options => {
  const how = { engine: 'local', route: 'engine', chunk: '5MiB', env, retries: 0, concurrency: 1, ...options }
  return expect(copy('s3://source/big', 's3://target/key', how)).rejects
}

test('the condition that was given last holds when the job is resumed', async () => {
  await failure().toThrow()
  await failure({ clobber: false }).toMatchObject({ code: 'STORE_ERROR' })
  server.faults.clear()
  await put(route.to, 'key', Buffer.from('of somebody else'))
  await expect(resume(undefined, { env })).rejects.toMatchObject({ code: 'DESTINATION_EXISTS' })
  expect((await get(route.to, 'key')).toString()).toBe('of somebody else')
})

test('a host with a password that is never asked is not written down', async () => {
  await failure({ apihost: 'https://somebody:password@host' }).toThrow()
  const [{ path }] = await openJournals({ env }).list()
  expect(readFileSync(path, 'utf8')).not.toContain('password')
})
