'use strict'

/** Credentials that expire while a copy is at work: others are had and it goes on, or it stops and can be gone on with. */

const { keep, newFolder, openStore, startDeployed, startStore } = require('../support/opened')
const { expectEvents } = require('../support/copies')
const { eventOf } = require('../support/events')
const { startIssuer } = require('../support/issuer')
const { startXfer } = require('../support/run-xfer')
const { MiB, bytesOf, createBuckets, get, keysOf, put, uploadsOf } = require('../support/s3')

const BODY = bytesOf(25 * MiB + 1)

let server
let platform
let issuer
let from
let to
let stateHome
beforeAll(async () => {
  ;[server, platform] = await Promise.all([startStore(), startDeployed()])
  issuer = await keep(startIssuer(server))
  await createBuckets(server, 'source', 'target')
  from = openStore(server, 'source')
  to = openStore(server, 'target')
  stateHome = newFolder()
  await put(from, 'large', BODY)
})
afterEach(() => server.faults.clear())

/** Starts `xfer` with these words. @param {string[]} words @param {Record<string, string>} env */
function start(words, env, engine = 'local') {
  const where = engine === 'openwhisk' ? { APIHOST: platform.apihost, AUTH: platform.auth } : {}
  const given = { ...env, ...where, XDG_STATE_HOME: stateHome }
  const { child, ended } = startXfer([...words, '--json', '--engine', engine], { env: given })
  const check = async () => {
    const run = expectEvents(await ended, { env: given })
    for (const secret of issuer.secrets()) expect(run.stdout + run.stderr).not.toContain(secret)
    return { ...run, code: run.last.code }
  }
  return { child, ended: check() }
}

/** @param {string} target @param {Record<string, string>} env @param {string} [engine] */
function copy(target, env, engine) {
  const words = ['copy', 's3://source/large', `s3://target/${target}`, '--chunk', '5', '--concurrency', '2']
  return start(words, env, engine)
}

/** When the store is sent the n-th part from now on. */
const nthPart = n => eventOf(server, 'begin', ({ operation }) => operation === 'UploadPart', n)

const attempts = ({ events }) => events.filter(({ type }) => type === 'part').map(({ attempt }) => attempt)

describe.each(['local', 'openwhisk'])('by the engine %s', engine => {
  it('credentials that a store refuses are had anew, and no part has an attempt less', async () => {
    const env = issuer.configure()
    let expired = 0
    server.on('request', ({ code }) => code === 'ExpiredToken' && expired++)
    // Both of those under way find it out, and whatever is asked next.
    server.faults.add({ operation: 'UploadPart', delayMs: 300 })
    const { ended } = copy(engine, env, engine)
    for (const n of [2, 3]) {
      await nthPart(n)
      issuer.expire()
    }
    const run = await ended
    expect([run.status, run.code]).toEqual([0, undefined])
    expect(expired).toBeGreaterThanOrEqual(2)
    expect(attempts(run)).toEqual([1, 1, 1, 1, 1, 1])
    expect(run.events.filter(({ type }) => type === 'retry')).toEqual([])
    expect(issuer.asked()).toBeLessThanOrEqual(2 * 4)
    expect((await get(to, engine)).equals(BODY)).toBe(true)
  })

  it('credentials that cannot be renewed stop the copy, which keeps its parts for a resume', async () => {
    const env = issuer.configure()
    const target = `stopped ${engine}`
    server.faults.add({ operation: 'UploadPart', delayMs: 300 })
    const { ended } = copy(target, env, engine)
    // Two functions begin with two parts each: by the fifth some are done.
    await nthPart(5)
    issuer.breakDown()
    issuer.expire()
    const run = await ended
    expect({ status: run.status, code: run.code }).toEqual({ status: 4, code: 'CREDENTIALS_EXPIRED' })
    expect(run.last.hint).toContain(`xfer resume ${run.last.job}`)
    expect(await keysOf(to, target)).toEqual([])
    expect(await uploadsOf(to, target)).toHaveLength(1)

    const still = await start(['resume', run.last.job], env, engine).ended
    expect({ status: still.status, code: still.code }).toEqual({ status: 4, code: 'NO_CREDENTIALS' })

    issuer.mend()
    const resumed = await start(['resume', run.last.job], env, engine).ended
    expect({ status: resumed.status, code: resumed.code }).toEqual({ status: 0, code: undefined })
    expect(resumed.last.resumedBytes).toBeGreaterThan(0)
    expect([(await get(to, target)).equals(BODY), await uploadsOf(to, target)]).toEqual([true, []])
  })
})
