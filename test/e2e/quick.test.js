'use strict'

/** Of the promises one each, at their plainest: the files that have the rest are among the slow tests. */

const { eventOf } = require('../support/events')
const { keep } = require('../support/opened')
const { startHttpsHost } = require('../support/https-host')
const { newStateHome } = require('../support/journals')
const { openKeptTrees, sizesOf } = require('../support/prefixes')
const { startXfer } = require('../support/run-xfer')
const { filesOf } = require('./redaction/secrets')

let destination
let trees
let env
beforeEach(async () => {
  ;({ destination, trees } = await openKeptTrees())
  env = { ...trees.env, XDG_STATE_HOME: newStateHome() }
})

test('a job of a prefix that was killed goes on where it was', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `tree/n${String(i).padStart(2, '0')}`)
  await trees.fill(Object.fromEntries(names.map(key => [key, key])))
  destination.faults.add({ operation: 'PutObject', delayMs: 20 })
  const { child, ended } = trees.start(['copy', '--concurrency', '1'], { env })
  await eventOf(destination, 'request', ({ operation }) => operation === 'PutObject', 40)
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
  const { status, last } = await trees.run(['copy'], { env })
  expect([status, Object.keys(await sizesOf(trees.to))]).toEqual([0, names])
  expect(last.objects.copied).toBeLessThan(40)
})

test.each([
  ['is copied', {}, 0],
  ['fails and tells it', { status: 500 }, 1],
])('the secrets of an address that %s are in nothing printed and nothing kept', async (_, page, status) => {
  const host = await keep(startHttpsHost())
  const [query, header] = ['xQu3ry/SECRET+of=the/address', 'xH3ader/SECRET+of=the/source']
  const echo = Buffer.from(`the request was ?token=${encodeURIComponent(query)} X-Secret: ${header}`)
  const url = host.put(`/page?token=${encodeURIComponent(query)}`, { body: echo, ...page })
  const flags = ['--retries', '0', '--debug', '--json', '--source-header', `X-Secret: ${header}`]
  const run = await startXfer(['copy', url, 's3://target/page', ...flags], { env }).ended
  expect(run.status).toBe(status)
  expect(host.requests.some(({ headers }) => headers['x-secret'] === header)).toBe(true)
  const told = run.stdout + run.stderr + filesOf(env.XDG_STATE_HOME)
  for (const secret of [query, header]) {
    expect(told).not.toContain(secret)
    expect(told).not.toContain(encodeURIComponent(secret))
  }
})
