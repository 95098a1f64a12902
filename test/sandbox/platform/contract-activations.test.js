'use strict'

/**
 * What an invocation leaves behind: answers by what was asked, and the collection of activations. With XFER_TEST_APIHOST and
 * XFER_TEST_AUTH set, the cases run against that platform.
 */

const { rawCall, startTarget, until } = require('./target')

const MINE = '/api/v1/namespaces/_'
const SOURCE = `const main = ({ how, ...rest }) => {
  if (how === 'error') return { error: 'as asked', other: 1 }
  if (how === 'throw') throw new Error('as asked')
  return rest
}`

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target
const call = (method, path, options) => rawCall(target, method, path, options)
const post = (query, json = {}) => call('POST', `${MINE}/actions/t-left/t-action${query}`, { json })
const activation = id => call('GET', `${MINE}/activations/${id}`)
/** An activation whose record is there. @param {object} [json] */
async function recorded(json) {
  const { body } = await post('?blocking=true', json)
  const stored = await until(async () => {
    const { status, body: record } = await activation(body.activationId)
    return status === 200 ? record : undefined
  })
  return { answered: body, stored }
}

beforeAll(async () => {
  target = await startTarget()
  const exec = { kind: 'nodejs:20', code: SOURCE }
  await call('PUT', `${MINE}/packages/t-left?overwrite=true`, { json: {} })
  await call('PUT', `${MINE}/actions/t-left/t-action?overwrite=true`, { json: { exec } })
})
afterAll(async () => {
  await call('DELETE', `${MINE}/actions/t-left/t-action`)
  await call('DELETE', `${MINE}/packages/t-left`)
  await target.close()
})

describe('an answer', () => {
  test('to an invocation that does not block is the id alone, in the header too', async () => {
    const { status, headers, body } = await post('')
    expect([status, body]).toEqual([202, { activationId: headers['x-openwhisk-activation-id'] }])
  })

  test.each([
    ['error', 'application error', 'as asked'],
    ['throw', 'action developer error', 'An error has occurred: Error: as asked'],
  ])('of a failure (%s) is its record, or with result=true its error', async (how, status, error) => {
    const whole = await post('?blocking=true', { how })
    expect([whole.status, whole.body.response]).toEqual([
      502,
      { result: { error }, size: expect.any(Number), status, success: false },
    ])
    expect(whole.headers['x-openwhisk-activation-id']).toBe(whole.body.activationId)
    const alone = await post('?blocking=true&result=true', { how })
    expect([alone.status, alone.body]).toEqual([502, { error }])
    expect(alone.headers['x-openwhisk-activation-id']).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('a record', () => {
  test('can be asked for in parts', async () => {
    const { answered } = await recorded({ a: 1 })
    const { body } = await call('GET', `${MINE}/activations/${answered.activationId}/result`)
    const { size, ...rest } = body
    expect(rest).toEqual({ result: { a: 1 }, status: 'success', success: true })
    const missing = await call('GET', `${MINE}/activations/${answered.activationId}/other`)
    expect(missing.status).toBe(404)
  })

  test('of an activation that never was is 404, with the same words as one that is not there yet', async () => {
    const { status, body, headers } = await activation('0'.repeat(32))
    expect([status, body]).toEqual([
      404,
      { error: 'The requested resource does not exist.', code: headers['x-request-id'] },
    ])
  })

  test('has a number for its status only in a list, whose entries have neither result nor logs', async () => {
    const { stored } = await recorded({ how: 'error' })
    expect(stored).not.toHaveProperty('statusCode')
    const { body } = await call('GET', `${MINE}/activations?name=t-left/t-action&limit=1`)
    expect(body[0]).toMatchObject({ activationId: stored.activationId, statusCode: 1, duration: stored.duration })
    expect(Object.keys(body[0]).sort()).toEqual([
      'activationId',
      'annotations',
      'duration',
      'end',
      'name',
      'namespace',
      'publish',
      'start',
      'statusCode',
      'version',
    ])
  })
})

describe('the list', () => {
  test('is newest first, of one action, between two times, whole with docs=true, counted with count=true', async () => {
    const one = (await recorded({ n: 1 })).stored
    const two = (await recorded({ n: 2 })).stored
    const list = async query => (await call('GET', `${MINE}/activations?name=t-left/t-action${query}`)).body
    const ids = async query => (await list(query)).map(({ activationId }) => activationId)
    expect((await ids('')).slice(0, 2)).toEqual([two.activationId, one.activationId])
    expect(await ids(`&since=${two.start}`)).toEqual([two.activationId])
    expect(await ids(`&upto=${one.start}&limit=1`)).toEqual([one.activationId])
    expect((await ids('&skip=1'))[0]).toBe(one.activationId)
    expect((await list('&docs=true&limit=1'))[0]).toMatchObject({ response: two.response, logs: two.logs })
    expect(await list('&count=true')).toEqual({ activations: expect.any(Number) })
  })

  test('is not whole and counted at once', async () => {
    const { status, body } = await call('GET', `${MINE}/activations?docs=true&count=true`)
    expect([status, body.error]).toEqual([400, "The parameter 'docs' is not permitted with 'count'."])
  })
})
