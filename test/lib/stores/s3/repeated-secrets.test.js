'use strict'

/** A store may repeat what it was sent; no error holds a secret of it, whatever the secret looks like. */

const { startStore } = require('../../../../sandbox/store')
const { everythingOf } = require('../../../e2e/redaction/secrets')
const { openStore } = require('../../../support/s3')

/** @type {Array<() => any>} */
const closings = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

const TOKENS = [
  ['of words', 'correct.horse-battery:staple'],
  ['of letters', 'thesessiontokenofsomebodywhoworkshere'],
  ['as AWS makes them', `IQoJb3JpZ2luX2VjE${'Aa0/+'.repeat(80)}==`],
  ['that is short', 'tok-12345'],
  ['that would be a code', 'TemporaryTokenOfTheStore'],
]

describe.each(TOKENS)('a session token %s', (_, sessionToken) => {
  test.each(['message', 'code'])('that is repeated in the %s of an error is not told', async repeats => {
    const account = { accessKeyId: 'ASIATEMPORARY', secretAccessKey: 'a-secret-of-ours', sessionToken }
    const server = await startStore({ buckets: ['bucket'], accounts: [account], repeats })
    closings.push(server.close)
    const store = openStore(server, 'bucket', { credentials: async () => account })
    closings.push(store.close)
    for (const status of [400, 403, 500]) {
      server.faults.clear()
      server.faults.add({ status, code: 'AccessDenied' })
      const calls = [
        store.list({ prefix: '' }),
        store.head('key'),
        store.removeAll(['a']),
        store.upload.pending({ prefix: '' }),
      ]
      for (const { reason: error, value } of await Promise.allSettled(calls)) {
        // What is refused one by one is told, and not thrown.
        expect(error ?? value[0]).toMatchObject({ code: expect.any(String) })
        const told = `${everythingOf(error ?? value)}\n${error?.stack}\n${error?.cause?.stack}`
        expect(told).not.toContain(sessionToken)
        expect(told).not.toContain(sessionToken.slice(0, 20))
        // It still says what it can.
        if (error) expect(error.facts).toMatchObject({ status })
      }
    }
  })
})

test('frames of the stack are kept, and what only looks like them is not', () => {
  const { XferError } = require('../../../../lib/errors')
  const cause = Object.assign(new Error('refused\n    at secret-token (here:1:1)'), {
    name: 'Xf9SECRETxf9SECRETxf9SECRETxf9SECRET1',
  })
  const { stack } = new XferError('INTERNAL', {}, { cause }).cause
  expect(stack.split('\n').filter(line => line.startsWith('    at ')).length).toBeGreaterThan(1)
  expect(stack).toContain('repeated-secrets.test.js')
  expect(stack.match(/secret-token/g)).toHaveLength(1)
  expect(stack).not.toContain('SECRETxf9')
})
