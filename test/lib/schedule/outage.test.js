'use strict'

const { createOutages } = require('../../../lib/schedule')
const { XferError } = require('../../../lib/engines/openwhisk/errors')
const { createVirtualClock } = require('../../../bench/simulation/clock')

const FACTS = { side: 'destination', bucket: 'bucket', endpoint: 'http://store', reason: 'ECONNREFUSED' }
const refused = () => new XferError('STORE_UNREACHABLE', FACTS)

/**
 * A destination that answers probes, or fails them, as `away` says; each takes 10 ms, or longer.
 *
 * @param {{ timeoutMs?: number, takesMs?: number, met?: boolean, away?: (atMs: number) => XferError | undefined }} [how]
 */
function setUp({ timeoutMs = 600_000, away = () => undefined, met = true, takesMs = 10 } = {}) {
  const clock = createVirtualClock()
  const events = []
  const probes = []
  const outages = createOutages({ timeoutMs, emit: event => events.push(event), clock, random: () => 1 })
  outages.watch(['destination'], {
    where: 'http://store',
    async probe(signal) {
      probes.push(clock.elapsedMs())
      await clock.delay(takesMs, signal)
      const error = away(clock.elapsedMs())
      if (error) throw error
    },
  })
  if (met) outages.answered('destination', 0)
  const ask = (error = refused(), askedMs = clock.now()) => clock.run(outages.excuses(error, askedMs))
  return { clock, events, probes, outages, ask }
}

test('what never answered is not waited for: its address may be mistyped', async () => {
  const { ask, probes } = setUp({ away: refused, met: false })
  expect([await ask(), probes]).toEqual([false, []])
})

test('a failure is the peer’s where a probe fails likewise, and the request’s own where it is answered', async () => {
  let away = false
  const { ask, outages, probes } = setUp({ away: () => (away ? refused() : undefined) })
  expect([await ask(), outages.holding()]).toEqual([false, false])
  away = true
  expect([await ask(), outages.holding()]).toEqual([true, true])
  expect(probes).toHaveLength(2)
  outages.close()
})

test('a refusal that is nobody else’s matter asks for no probe', async () => {
  const { ask, probes } = setUp({ away: refused })
  for (const code of ['STORE_REFUSED', 'CERTIFICATE_REFUSED', 'ACCESS_DENIED', 'BAD_ANSWER', 'STORE_THROTTLED']) {
    expect(await ask(new XferError(code, { ...FACTS, status: 501 }))).toBe(false)
  }
  expect(probes).toEqual([])
})

test('a thousand failures at once cost two probes at most', async () => {
  const { clock, outages, probes } = setUp()
  await clock.run(Promise.all(Array.from({ length: 1_000 }, () => outages.excuses(refused(), clock.now()))))
  expect(probes.length).toBeLessThanOrEqual(2)
})

test('an outage is probed with back-off, told of now and then, and its end', async () => {
  const { clock, ask, outages, probes, events } = setUp({ away: atMs => (atMs < 30_000 ? refused() : undefined) })
  await ask()
  await clock.run(outages.up(refused()))
  const gaps = probes.slice(1).map((atMs, i) => atMs - probes[i])
  expect(gaps.slice(0, 5)).toEqual([260, 510, 1_010, 2_010, 4_010])
  expect(Math.max(...gaps)).toBeLessThan(5_100)
  const told = events.map(({ forMs, over }) => `${Math.round(forMs / 1000)}${over ? ' over' : ''}`)
  expect(told).toEqual(['2', '8', '13', '23', '33 over'])
  expect(events[0]).toMatchObject({ type: 'outage', peer: 'destination', code: 'STORE_UNREACHABLE' })
  expect(outages.holding()).toBe(false)
  // What was begun before the end met the outage, though it may have failed after it.
  expect(await ask(refused(), clock.now() - 1_000)).toBe(true)
  expect(outages.holding()).toBe(false)
  expect(await ask()).toBe(false)
})

test('after the limit all who wait are told, and what fails then is not waited for any more', async () => {
  const { clock, ask, outages } = setUp({ timeoutMs: 20_000, away: refused })
  const lost = []
  outages.listen({ changed() {}, lost: error => lost.push(error) })
  await ask()
  const error = await clock.run(outages.up(refused()).catch(cause => cause))
  expect(error).toMatchObject({ code: 'OUTAGE', exitCode: 1, retryable: false, facts: { peer: 'destination' } })
  expect(error.message).toBe(
    'The destination at http://store has not answered for 20 s: the destination at http://store cannot be reached (ECONNREFUSED).',
  )
  expect(lost).toEqual([error])
  expect(clock.elapsedMs()).toBeGreaterThanOrEqual(20_000)
  expect(clock.elapsedMs()).toBeLessThan(21_000)
  expect([outages.holding(), await ask()]).toEqual([false, false])
})

test('a peer that never answers ends the wait with the failure that it caused, soon after the limit', async () => {
  const timeoutMs = 25_000
  const { clock, events, outages } = setUp({ timeoutMs, takesMs: 3_600_000 })
  const stalled = new XferError('STALLED', FACTS)
  await clock.run(outages.excuses(stalled, clock.now()))
  const error = await clock.run(outages.up(stalled).catch(cause => cause))
  expect(clock.elapsedMs()).toBeGreaterThanOrEqual(timeoutMs)
  expect(clock.elapsedMs()).toBeLessThan(timeoutMs + 1_000)
  expect(error).toMatchObject({ code: 'OUTAGE', exitCode: 1, cause: stalled })
  expect(error.message).toMatch(/: a connection to the destination moved no byte for too long\.$/)
  expect(events.every(({ code }) => code === 'STALLED')).toBe(true)
})

test('a success ends the outage without a probe, if it began after the outage', async () => {
  const { clock, ask, outages } = setUp({ away: refused })
  const earlier = clock.now()
  await clock.run(clock.delay(5))
  await ask()
  await clock.run(clock.delay(100))
  outages.answered('destination', earlier)
  expect(outages.holding()).toBe(true)
  outages.answered('destination', clock.now())
  expect(outages.holding()).toBe(false)
  outages.close()
})

test('a waiting caller can be aborted', async () => {
  const { clock, ask, outages } = setUp({ away: refused })
  await ask()
  const stop = new AbortController()
  const waiting = outages.up(refused(), stop.signal).catch(cause => cause)
  const reason = new XferError('INTERRUPTED')
  stop.abort(reason)
  expect(await clock.run(waiting)).toBe(reason)
  outages.close()
})

describe('attempts of which none comes to anything, of a store that answers probes', () => {
  async function failFor(minutes, each) {
    const { clock, outages } = setUp()
    const lost = []
    outages.listen({ changed() {}, lost: error => lost.push(error) })
    for (let i = 0; i < minutes * 12; i++) {
      outages.failed(refused())
      each?.(outages, i)
      await clock.run(clock.delay(5_000))
    }
    return lost
  }

  test('end the job after the time limit and a hundred attempts', async () => {
    const lost = await failFor(15)
    expect(lost).toMatchObject([{ code: 'OUTAGE', facts: { attempts: 122, peer: 'destination' } }])
    expect(lost[0].message).toMatch(
      /^The destination at http:\/\/store answers, but for 10 minutes all 122 attempts have failed/,
    )
  })

  test('do not where one now and then is carried out, or refused for good', async () => {
    expect(await failFor(15, (outages, i) => i % 50 === 49 && outages.progressed())).toEqual([])
    const gone = new XferError('UPLOAD_GONE', FACTS)
    expect(await failFor(15, (outages, i) => i % 50 === 49 && outages.failed(gone))).toEqual([])
  })
})
