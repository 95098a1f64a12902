'use strict'

/** Functions of the caller (onEvent, onCheck, onUpload) that fail: the call stops, keeps what is copied, and says so. */

const { startStore } = require('../../../sandbox/store')
const { clean, copy, copyPrefix, doctor, jobs, resume, verify } = require('../../../lib')
const { leaveUpload, newStateHome } = require('../../support/journals')
const { bytesOf, createBuckets, get, keysOf, openStore, put } = require('../../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(16 * MiB + 1)

class Mine extends Error {}

let origin
let server
let from
let to
let env
beforeAll(async () => {
  ;[origin, server] = await Promise.all([startStore(), startStore()])
  await Promise.all([createBuckets(origin, 'source'), createBuckets(server, 'target')])
  from = openStore(origin, 'source')
  to = openStore(server, 'target')
  await put(from, 'large', BODY)
  for (const name of ['a', 'b', 'c']) await put(from, `dir/${name}`, BODY.subarray(0, 1000))
})
beforeEach(() => {
  env = { HOME: newStateHome(), XDG_STATE_HOME: newStateHome() }
})
afterAll(async () => {
  for (const store of [from, to]) store?.close()
  await Promise.all([origin?.close(), server?.close()])
})

const at = ({ endpoint, accessKeyId, secretAccessKey }) => ({
  endpointUrl: endpoint,
  credentials: { accessKeyId, secretAccessKey },
})
const options = more => ({ source: at(origin), destination: at(server), engine: 'local', env, ...more })
const sides = () => ({ source: at(origin), destination: at(server), env })

/** The two ways to fail, when an event is of this type. */
const WAYS = [
  ['throws', fits => event => fail(fits(event))],
  ['rejects', fits => async event => fail(fits(event))],
]
function fail(now) {
  if (now) throw new Mine('my database is away.')
}
const expectMine = error => {
  expect(error).toMatchObject({ code: 'HANDLER_FAILED', exitCode: 1 })
  expect(error.cause).toBeInstanceOf(Mine)
  expect(error.message).toContain('my database is away.')
}

describe.each(WAYS)('an onEvent that %s', (way, handler) => {
  it('in the middle of a copy stops it, is called no more, and keeps what is copied', async () => {
    const seen = []
    const failing = handler(({ type }) => type === 'part')
    const onEvent = event => {
      seen.push(event.type)
      return failing(event)
    }
    const target = `middle ${way}`
    const call = copy('s3://source/large', `s3://target/${target}`, options({ onEvent, chunk: 5, concurrency: 1 }))
    const error = await call.catch(thrown => thrown)
    expectMine(error)
    expect(error.hint).toContain('xfer resume')
    expect(seen.filter(type => type === 'error')).toEqual([])
    expect(await keysOf(to, target)).toEqual([])
    expect(await jobs({ env })).toMatchObject([{ id: error.facts.job, ended: { code: 'HANDLER_FAILED' } }])
    const again = await resume(error.facts.job, sides())
    expect(again.resumedBytes).toBeGreaterThan(0)
    expect((await get(to, target)).equals(BODY)).toBe(true)
  })

  it('at the end says that everything else is done', async () => {
    const onEvent = handler(({ type }) => type === 'done')
    const target = `end ${way}`
    const error = await copy('s3://source/large', `s3://target/${target}`, options({ onEvent })).catch(thrown => thrown)
    expectMine(error)
    expect(error).toMatchObject({ facts: { done: true }, hint: expect.stringContaining('everything else is done') })
    expect((await get(to, target)).equals(BODY)).toBe(true)
    expect(await jobs({ env })).toEqual([])
  })

  it('hides no other failure', async () => {
    const onEvent = handler(({ type }) => type === 'error')
    const call = copy('s3://source/absent', 's3://target/absent', options({ onEvent }))
    await expect(call).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })

  it('stops the copy of a prefix and a comparison', async () => {
    const ofObject = handler(({ type }) => type === 'plan')
    const prefix = copyPrefix('s3://source/dir/', `s3://target/${way}/`, options({ onEvent: ofObject }))
    expectMine(await prefix.catch(thrown => thrown))
    await copy('s3://source/large', 's3://target/compared', options())
    const plan = handler(({ type }) => type === 'plan')
    const compared = verify('s3://source/large', 's3://target/compared', options({ onEvent: plan, read: true }))
    expectMine(await compared.catch(thrown => thrown))
  })
})

it.each(WAYS)('an onCheck that %s stops the checks', async (_, handler) => {
  const seen = []
  const failing = handler(({ name }) => name === 'node')
  const onCheck = checked => {
    seen.push(checked.name)
    return failing(checked)
  }
  expectMine(await doctor('s3://source/large', 's3://target', { ...sides(), onCheck }).catch(thrown => thrown))
  expect(seen).toEqual(['node'])
})

it.each(WAYS)('an onUpload that %s stops the cleaning', async (way, handler) => {
  for (const name of ['one', 'two']) await leaveUpload(to, `left/${way}/${name}`)
  const onUpload = handler(() => true)
  const some = { destination: at(server), env, olderThan: '1ms' }
  // Until they are old by the store's clock, whose dates have whole seconds.
  while ((await clean(`s3://target/left/${way}/`, some)).young > 0);
  const given = { ...some, yes: true, onUpload }
  expectMine(await clean(`s3://target/left/${way}/`, given).catch(thrown => thrown))
})

it.each([
  ['an object without a text', Object.create(null)],
  ['nothing', undefined],
  ['an error whose message cannot be read', Object.defineProperty(new Mine(), 'message', { get: () => fail(true) })],
])('%s, thrown by a handler, is a failure of the handler like any other', async (_, thrown) => {
  const onEvent = ({ type }) => {
    if (type === 'plan') throw thrown
  }
  const error = await copy('s3://source/large', 's3://target/odd', options({ onEvent })).catch(refused => refused)
  expect(error).toMatchObject({ code: 'HANDLER_FAILED', exitCode: 1 })
  expect(error.cause).toBe(thrown)
})

it('promises of a handler are not waited for', async () => {
  const onEvent = () => new Promise(() => {})
  await copy('s3://source/dir/a', 's3://target/promised', options({ onEvent }))
  expect(await keysOf(to, 'promised')).toEqual(['promised'])
})

it('the own signal still works beside a handler', async () => {
  const stop = new AbortController()
  const onEvent = ({ type }) => type === 'plan' && stop.abort()
  const call = copy('s3://source/large', 's3://target/stopped', options({ onEvent, signal: stop.signal }))
  await expect(call).rejects.toMatchObject({ code: 'INTERRUPTED' })
})
