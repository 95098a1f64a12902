'use strict'

const { createNetworkLimit } = require('../../../../lib/schedule/limits/network-limit')
const { createDraw } = require('../../../../bench/simulation/draws')

const TICK_MS = 25
const TELL_MS = 250
const MB = 1e6

/**
 * Parts through so many connections as the limit says, as a fluid: each connection opens, and then moves what the link
 * gives it. Each tells four times a second what it has moved, at a time of its own.
 *
 * @param {object} how
 * @param {(connections: number, ms: number) => number} how.link bytes a second, all together
 * @param {number} how.forMs
 * @param {number} [how.noise] of the link, as a share of it, drawn anew every tenth of a second
 */
function run({ start, most = 64, link, forMs, partBytes = 50 * MB, openMs = 50, noise = 0, seed = 1, limit: given }) {
  const limit = given ?? createNetworkLimit({ start, most })
  const draw = createDraw(seed)
  const flights = []
  const levels = []
  let total = 0
  let began = 0
  for (let ms = 0; ms < forMs; ms += TICK_MS) {
    while (flights.length < limit.current()) {
      flights.push({ opensMs: ms + openMs, moved: 0, told: 0, phase: Math.floor(draw(1, began++) * 10) * TICK_MS })
    }
    const open = flights.filter(flight => flight.opensMs <= ms)
    const factor = 1 + noise * (2 * draw(2, Math.floor(ms / 100)) - 1)
    const each = open.length > 0 ? (link(open.length, ms) * factor * TICK_MS) / 1000 / open.length : 0
    for (const flight of open) {
      flight.moved += each
      total += each
      const done = flight.moved >= partBytes
      if (!done && (ms + flight.phase) % TELL_MS !== 0) continue
      limit.answered({ nowMs: ms, moved: flight.moved - flight.told, inFlight: flights.length })
      flight.told = flight.moved
      if (done) flights.splice(flights.indexOf(flight), 1)
    }
    levels.push({ ms, level: limit.current() })
  }
  return {
    limit,
    bytesPerSecond: (1000 * total) / forMs,
    at: ms => levels.find(one => one.ms >= ms).level,
    /** Of the time, the share for which it was so many. */
    share: (fromMs, fits) => {
      const seen = levels.filter(({ ms }) => ms >= fromMs)
      return seen.filter(({ level }) => fits(level)).length / seen.length
    },
    highest: Math.max(...levels.map(({ level }) => level)),
  }
}

/** No connection gets more than its own, and all together no more than the link. */
const capped = (each, all) => connections => Math.min(connections * each, all)

describe('how many connections help', () => {
  test.each([1, 2, 3, 4, 5])('are many where each is slow: soon, and all that may be (seed %i)', seed => {
    const { at, bytesPerSecond } = run({ start: 4, link: capped(2 * MB, 1000 * MB), forMs: 60_000, noise: 0.1, seed })
    expect(at(8_000)).toBe(64)
    expect(bytesPerSecond).toBeGreaterThan(0.85 * 64 * 2 * MB)
  })

  test.each([1, 2, 3, 4, 5])('are as many as fill the link, and hardly more (seed %i)', seed => {
    const link = capped(10 * MB, 120 * MB)
    const { share, bytesPerSecond } = run({ start: 4, link, forMs: 180_000, noise: 0.1, seed })
    expect(bytesPerSecond).toBeGreaterThan(0.9 * 120 * MB)
    expect(share(20_000, level => level <= 16)).toBeGreaterThan(0.9)
  })

  test('are more once each of them has become slower', () => {
    const link = (connections, ms) => Math.min(connections * (ms < 60_000 ? 40 : 4) * MB, 150 * MB)
    const { at, share } = run({ start: 4, link, forMs: 180_000, noise: 0.1 })
    expect(at(59_000)).toBeLessThanOrEqual(8)
    expect(share(100_000, level => level >= 32)).toBeGreaterThan(0.9)
  })

  test('are never more than were asked for, nor fewer than one', () => {
    for (const most of [1, 2, 3, 5]) {
      const how = { start: 2, most, link: capped(MB, 1000 * MB), partBytes: 10 * MB, forMs: 300_000 }
      const { share, highest } = run(how)
      expect(highest).toBe(most)
      expect(share(0, level => level < 1)).toBe(0)
      expect(share(20_000, level => level === most)).toBeGreaterThan(0.8)
    }
  })
})

test('nothing is measured while fewer are in flight than the level asks for', () => {
  const limit = createNetworkLimit({ start: 4, most: 64 })
  for (let ms = 0; ms < 60_000; ms += 100) limit.answered({ nowMs: ms, moved: MB, inFlight: 3 })
  expect(limit.current()).toBe(4)
})
