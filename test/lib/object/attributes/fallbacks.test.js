'use strict'

const { writeWithFallbacks } = require('../../../../lib/object/attributes/fallbacks')
const { XferError } = require('../../../../lib/errors')
const { readAttributes } = require('../../../../lib/options')

const metadata = { headers: {}, user: {} }
const TAGS = [['a', '1']]
const ALL = { metadata, tags: TAGS, storageClass: 'COLD' }
const side = { side: 'destination', bucket: 'to', endpoint: 'http://to' }
const refusal = (code, status, storeCode) =>
  new XferError(code, { ...side, status, storeCode, needsForTags: 's3:PutObjectTagging' })

const DENIED = refusal('ACCESS_DENIED', 403, 'AccessDenied')
const NO_CLASS = refusal('NO_SUCH_STORAGE_CLASS', 400, 'InvalidStorageClass')
const UNKNOWN = refusal('STORE_REFUSED', 501, 'NotImplemented')
const TRAILER = refusal('TRAILER_REFUSED', 400, 'InvalidArgument')

/** A store that refuses what `judge` says. */
async function write(judge, { attributes = ALL, options = {} } = {}) {
  const sent = []
  const told = []
  const how = {
    attributes,
    wish: readAttributes(options),
    text: 's3://to/key',
    tell: ({ message }) => told.push(message),
  }
  const outcome = await writeWithFallbacks(how, async granted => {
    sent.push([granted.storageClass, granted.tags?.length ?? 0])
    const error = judge(granted)
    if (error) throw error
    return 'written'
  }).catch(error => ({ error }))
  return { ...outcome, sent, told }
}

test('an accepted write is sent once', async () => {
  const { result, without, sent, told } = await write(() => undefined)
  expect({ result, without, sent, told }).toEqual({ result: 'written', without: [], sent: [['COLD', 1]], told: [] })
})

describe('a write goes', () => {
  test('without its tags where they may not be written, and says which permission is missing', async () => {
    const { without, sent, told, refusal } = await write(({ tags }) => tags && DENIED)
    expect({ without, sent }).toEqual({
      without: ['tags'],
      sent: [
        ['COLD', 1],
        ['COLD', 0],
      ],
    })
    // They are written again, and told of, once the object is there.
    expect({ told, refusal }).toEqual({ told: [], refusal: 's3:PutObjectTagging is missing (AccessDenied)' })
  })

  test.each([UNKNOWN, TRAILER])('without its tags where the store knows none (%#)', async error => {
    const { without, told, refusal } = await write(({ tags }) => tags && error)
    expect(without).toEqual(['tags'])
    expect({ told, refusal }).toEqual({ told: [], refusal: expect.stringContaining('its store does not take them') })
  })

  test("in the usual storage class where the store has not the source's", async () => {
    const { without, sent, told } = await write(({ storageClass }) => storageClass && NO_CLASS)
    expect({ without, sent }).toEqual({
      without: ['storageClass'],
      sent: [
        ['COLD', 1],
        [undefined, 1],
      ],
    })
    expect(told).toEqual([expect.stringContaining('the store has no COLD (InvalidStorageClass)')])
  })

  test('without either', async () => {
    const { without, told } = await write(({ storageClass, tags }) => (storageClass ? NO_CLASS : tags && DENIED))
    expect(without).toEqual(['storageClass', 'tags'])
    expect(told).toEqual([expect.stringContaining('the store has no COLD')])
  })
})

describe('a write fails', () => {
  test('with the first error, if leaving the tags out did not help', async () => {
    const { error, told, sent } = await write(() => DENIED)
    expect(error).toBe(DENIED)
    expect({ told, times: sent.length }).toEqual({ told: [], times: 2 })
  })

  test('with the second error, if that is another one', async () => {
    const other = refusal('NO_SUCH_BUCKET', 404, 'NoSuchBucket')
    expect((await write(({ tags }) => (tags ? DENIED : other))).error).toBe(other)
  })

  test('at once where nothing of it can be the reason', async () => {
    for (const error of [
      refusal('DESTINATION_EXISTS', 412),
      refusal('STORE_ERROR', 500),
      refusal('TRAILER_REFUSED', 411),
    ]) {
      const { sent, ...outcome } = await write(() => error)
      expect({ error: outcome.error, times: sent.length }).toEqual({ error, times: 1 })
    }
    expect((await write(() => DENIED, { attributes: { metadata } })).sent).toHaveLength(1)
  })

  test('where the storage class that it has not was asked for by name', async () => {
    const options = { storageClass: 'COLD' }
    expect((await write(({ storageClass }) => storageClass && NO_CLASS, { options })).error).toBe(NO_CLASS)
  })
})
