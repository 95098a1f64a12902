'use strict'

/** What a store can do to a copy that it makes by itself: it is right in the end, be it by the engine, and nothing is left over. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODIES = { CopyObject: bytesOf(1 * MiB), UploadPartCopy: bytesOf(26 * MiB) }

/** At 30 % of the requests, and at all of them. @type {Array<[what: string, rule: object, always: 'server' | 'local' | 'fails']>} */
const FAULTS = [
  ['500', { status: 500 }, 'local'],
  ['500, when its work is done', { status: 500, afterWork: true }, 'local'],
  ['503 SlowDown', { status: 503 }, undefined],
  ['403', { status: 403 }, 'local'],
  ['501', { status: 501, code: 'NotImplemented' }, 'local'],
  ['a pause before the work', { delayMs: 300 }, 'server'],
  ['a pause between the work and its answer', { answerDelayMs: 300 }, 'server'],
  ['200 and blanks, long before the rest', { blanks: 10, answerDelayMs: 1_500 }, 'server'],
  ['200 and blanks, and an error in the end', { blanks: 5, answerDelayMs: 200, status: 500 }, 'local'],
  ['200 with an error in its body', { errorInBody: true }, 'local'],
  ['200 with an error in its body, when its work is done', { errorInBody: true, afterWork: true }, 'local'],
  ['half a document', { truncateXml: true }, 'local'],
  ['no answer, when its work is done', { loseAnswer: true }, undefined],
  ['an answer that is cut', { cutAfterBytes: 20, on: 'response' }, undefined],
]
/** An object whose answers are lost is there all the same. */
const DONE = new Set([
  '500, when its work is done',
  '200 with an error in its body, when its work is done',
  'half a document',
])

let server
let route
beforeAll(async () => {
  server = await startStore()
  route = await openRoute({ source: server })
  for (const [key, body] of Object.entries(BODIES)) await put(route.from, key, body, { checksum: true })
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  route.close()
  await server.close()
})

const ROWS = Object.keys(BODIES).flatMap(operation =>
  FAULTS.map(([what, rule, always]) => [operation, what, rule, always]),
)

it.each(ROWS)(
  '%s meets now and then: %s',
  async (operation, what, rule) => {
    const target = `often ${operation} ${what}`
    server.faults.add({ operation, probability: 0.3, seed: 5, ...rule })
    server.faults.add({ operation, nth: 1, ...rule })
    const flags = ['--route', 'auto', '--retries', '8', '--io-timeout', '2']
    const { status, last } = await route.copy(operation, target, flags)
    expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
    expect((await get(route.to, target)).equals(BODIES[operation])).toBe(true)
  },
  60_000,
)

it.each(ROWS.filter(([, , , always]) => always))(
  '%s meets always: %s',
  async (operation, what, rule, always) => {
    const target = `always ${operation} ${what}`
    server.faults.add({ operation, ...rule })
    const { status, last } = await route.copy(operation, target, [
      '--route',
      'auto',
      '--retries',
      '1',
      '--io-timeout',
      '2',
    ])
    const engine = operation === 'CopyObject' && DONE.has(what) ? 'server' : always
    expect({ status, engine: last.engine, message: last.message }).toEqual({ status: 0, engine, message: undefined })
    expect((await get(route.to, target)).equals(BODIES[operation])).toBe(true)
  },
  60_000,
)
