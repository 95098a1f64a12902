'use strict'

/** Cost by object size: xfer alone, objects of 1 to 64 GiB between synthetic stores. Time must be linear, memory constant. */

const { CLIENTS } = require('../clients')
const { claim, finished, medianOf, size } = require('../report')
const { takeTurns } = require('../rounds')
const { startWorld } = require('./synthetic-world')

const GIB = 1024 ** 3
const SIZES = [1, 4, 16, 64].map(gib => gib * GIB)
const QUICK_SIZES = [1, 2, 4].map(times => times * 64 * 1024 ** 2)
const GB = 1e9

/**
 * Fits a straight line to points, by their distances as shares of each point's y.
 *
 * @param {Array<{ x: number, y: number }>} points
 * @returns {{ start: number, slope: number, farthest: number }} farthest: the largest distance, as a share of that y
 */
function lineThrough(points) {
  const weighted = points.map(({ x, y }) => ({ x, y, weight: 1 / y ** 2 }))
  /** @param {(point: { x: number, y: number, weight: number }) => number} of */
  const sum = of => weighted.reduce((total, point) => total + point.weight * of(point), 0)
  const [w, x, y, xx, xy] = [sum(() => 1), sum(p => p.x), sum(p => p.y), sum(p => p.x ** 2), sum(p => p.x * p.y)]
  const slope = (w * xy - x * y) / (w * xx - x ** 2)
  const start = (y - slope * x) / w
  return { start, slope, farthest: Math.max(...points.map(p => Math.abs(start + slope * p.x - p.y) / p.y)) }
}

/** @type {import('.').Case} */
const GROWTH = {
  name: 'growth',
  title: 'Cost as work grows',
  about: 'xfer between synthetic stores, with its defaults, at sizes each four times the one before.',
  programs: [],

  async run({ runs, quick, home, signal, say }) {
    const sizes = quick ? QUICK_SIZES : SIZES
    const keyOf = (/** @type {number} */ bytes) => `made-${bytes}`
    const world = await startWorld(Object.fromEntries(sizes.map(bytes => [keyOf(bytes), bytes])), { home })
    try {
      const contestants = sizes.map(bytes => ({
        name: size(bytes),
        kind: CLIENTS.xfer.kind,
        bytes,
        call: () => CLIENTS.xfer.call(world.job(keyOf(bytes), bytes)),
      }))
      const checked = new Set()
      const rows = await takeTurns(contestants, {
        runs,
        servers: world.pids,
        signal,
        say,
        before: ({ name }) => world.prepare(!checked.has(name)),
        check({ name, bytes }) {
          checked.add(name)
          return world.judge(keyOf(Number(bytes)))
        },
      })
      return { rows }
    } finally {
      await world.close()
    }
  },

  tell({ rows }) {
    const points = finished(rows).map(row => ({
      bytes: Number(row.bytes),
      wall: medianOf(row, 'wallSeconds'),
      cpu: medianOf(row, 'cpuSeconds'),
      peak: medianOf(row, 'peakBytes'),
    }))
    const line = lineThrough(points.map(({ bytes, wall }) => ({ x: bytes / GB, y: wall })))
    const peaks = points.map(({ peak }) => peak)
    const whole = points.length === rows.length && points.length > 2
    return {
      tables: [
        {
          head: ['object', 'wall, s', 'on the line, s', 'CPU s/GB', 'peak MB'],
          rows: points.map(({ bytes, wall, cpu, peak }) => [
            size(bytes),
            wall.toFixed(2),
            (line.start + line.slope * (bytes / GB)).toFixed(2),
            (cpu / (bytes / GB)).toFixed(2),
            (peak / 1e6).toFixed(0),
          ]),
        },
      ],
      claims: whole
        ? [
            ...claim('time as work grows, farthest from a straight line', line.farthest, { atMost: 0.1 }),
            ...claim('memory as work grows, the most against the least', Math.max(...peaks) / Math.min(...peaks), {
              atMost: 1.1,
            }),
          ]
        : [],
      remarks: ['The line is a start and a pace, the ones that fit all sizes best, each by its share.'],
    }
  },
}

module.exports = { GROWTH, lineThrough }
