'use strict'

/** What `xfer doctor --deep` has found of servers, edited or damaged: what it has not written is left out, and said. */

const { join } = require('node:path')
const { head } = require('../../../lib')
const { PATTERNS, keepRow } = require('../../../lib/stores')
const { ownFactsOf } = require('../../../lib/stores/own-rows')
const { makeHome } = require('../../support/home')
const { openStore, startStore } = require('../../support/opened')
const { copyEnv } = require('../../support/run-xfer')
const { bytesOf, createBuckets, put } = require('../../support/s3')

const ENDPOINT = 'http://127.0.0.1:9000'

/** Settings with such a file. @param {string} text */
function withFile(text) {
  const config = makeHome({ 'xfer/servers.json': text })
  return { env: { XDG_CONFIG_HOME: config }, path: join(config, 'xfer', 'servers.json') }
}
const rowOf = facts => JSON.stringify({ [ENDPOINT]: { asked: '2026-11-01', facts } })

test('a row of all that can be found is taken', () => {
  const pattern = Object.values(PATTERNS).join('|')
  const facts = { sums: 'refused', namesFraming: false, conditions: 'ignored', keepsMetadata: true, tags: false }
  const more = { limits: { equalParts: true }, hidesBelow: true }
  const env = { XDG_CONFIG_HOME: makeHome({ 'xfer/x': '' }) }
  keepRow(env, ENDPOINT, { asked: '2026-11-01', facts: { ...facts, ...more, keys: { pattern, reason: 'is odd' } } })
  const found = { ...facts, ...more, keys: { pattern: new RegExp(pattern), reason: 'is odd' } }
  expect(ownFactsOf(env, `${ENDPOINT}/`)).toEqual({ own: found })
  expect(ownFactsOf(env, 'http://127.0.0.1:9001')).toEqual({})
})

test.each([
  ['half a file', '{"http://127.0.0.1:9000": {"asked"'],
  ['a list', '[]'],
  ['a row that is null', JSON.stringify({ [ENDPOINT]: null })],
  ['no facts', JSON.stringify({ [ENDPOINT]: {} })],
  ['limits that are texts', rowOf({ limits: { minBytes: '5', maxParts: '10000' } })],
  ['a limit of no parts', rowOf({ limits: { maxParts: 0 } })],
  ['a fact that is not asked', rowOf({ consistent: true })],
  ['checksums of another word', rowOf({ sums: {} })],
  ['a pattern that takes for ever', rowOf({ keys: { pattern: '^(a+)+$', reason: 'is odd' } })],
  ['a pattern that is none', rowOf({ keys: { pattern: '(', reason: 'is odd' } })],
  ['a pattern beside a known one', rowOf({ keys: { pattern: '//|(a+)+$', reason: 'is odd' } })],
  ['keys without a reason', rowOf({ keys: { pattern: '//' } })],
])('%s is left out', (_, text) => {
  const { env, path } = withFile(text)
  expect(ownFactsOf(env, ENDPOINT)).toEqual({ ownLeftOut: path })
  // To ask again mends it.
  keepRow(env, ENDPOINT, { asked: '2026-11-01', facts: { sums: 'checked' } })
  expect(ownFactsOf(env, ENDPOINT)).toEqual({ own: { sums: 'checked' } })
})

test('a command goes on without it, with a notice', async () => {
  const server = await startStore()
  await createBuckets(server, 'bucket')
  await put(openStore(server, 'bucket'), 'key', bytesOf(10))
  const { env, path } = withFile('{')
  const events = []
  const how = { env: { ...copyEnv(server, server), ...env }, onEvent: event => events.push(event) }
  expect(await head('s3://bucket/key', how)).toMatchObject({ bytes: 10 })
  const message = expect.stringContaining(path)
  expect(events).toMatchObject([{ type: 'notice', code: 'SERVER_ROW_LEFT_OUT', message }])
})
