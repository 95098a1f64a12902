'use strict'

/** Functions of the caller (onEvent, onCheck, onUpload) that fail: the call stops, keeps what is copied, and says so. */

const { startStore } = require('../../../sandbox/store')
const { copy, copyPrefix, doctor, jobs, resume, verify } = require('../../../lib')
const { newStateHome } = require('../../support/journals')
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
