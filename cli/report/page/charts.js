// @ts-nocheck: for browsers
'use strict'

/** The charts of the page, by uPlot: throughput over time, and how long things took. */

/* global format, uPlot */

/** An element with its properties; strings become text. */
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

// biome-ignore lint/correctness/noUnusedVariables: waterfall.js and draw.js use it
const charts = (() => {
  const times = (unit, steps) => steps.map(step => step * unit)
  const STEPS_MS = [
    [1, 2, 5, 10, 20, 50, 100, 200, 500],
    times(1000, [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800]),
    times(3_600_000, [1, 2, 4, 6, 12, 24, 48, 168, 720]),
  ].flat()
  const POWERS = Array.from({ length: 60 }, (_, power) => 2 ** power)
  const ROUND = Array.from({ length: 27 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3))
  /** What a bucket counts; their colours have the same names. */
  const MARKS = ['throttled', 'retried', 'hedged', 'failed']
  const MARK_HEIGHT = 9

  const probe = document.body.appendChild(make('i'))
  /** A colour of page.css, as a canvas takes it. */
  const css = name => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const font = () => `12px ${getComputedStyle(document.body).fontFamily}`
  const duration = ms => (ms === 0 ? '0' : format.formatDuration(ms).replace(/\.0(?= s)| 00 (s|min)$/, ''))
  const size = bytes => (bytes === 0 ? '0' : format.formatBytes(bytes).replace(/\.0+ /, ' '))
  const sum = values => values.reduce((one, other) => one + other, 0)
  const marksOf = ({ timeline }) => MARKS.map(name => [name, sum(timeline[name])]).filter(([, count]) => count > 0)

  /** @param {number[]} incrs steps of its numbers @param {(value: number) => string} text */
  const axis = (incrs, text, more) => ({
    incrs,
    values: (_, splits) => splits.map(text),
    stroke: () => css('muted'),
    font: font(),
    grid: { stroke: () => css('rule'), width: 1 },
    ticks: { show: false },
    ...more,
  })
  const noLegend = { legend: { show: false } }

  /** Outages; and at the top what was counted, a row for each kind. */
  function drawMarks({ ctx, bbox, valToPos }, data) {
    const { timeline, outages, elapsedMs } = data
    const ratio = devicePixelRatio
    const xOf = ms => valToPos(ms, 'x', true)
    const right = bbox.left + bbox.width
    ctx.fillStyle = css('away')
    for (const { fromMs, toMs = elapsedMs } of outages) {
      const [from, to] = [fromMs, toMs].map(ms => Math.max(bbox.left, Math.min(xOf(ms), right)))
      ctx.fillRect(from, bbox.top, to - from, bbox.height)
    }
    for (const [row, [name]] of marksOf(data).entries()) {
      ctx.fillStyle = css(name)
      for (const [at, count] of timeline[name].entries()) {
        const x = xOf((at + 0.5) * timeline.widthMs)
        if (count > 0 && x >= bbox.left && x <= right)
          ctx.fillRect(x - 1.5 * ratio, bbox.top + row * MARK_HEIGHT * ratio, 3 * ratio, (MARK_HEIGHT - 2) * ratio)
      }
    }
  }

  /** The middle of each bucket in ms, bytes a second, and how many were under way. */
  function columnsOf({ timeline: { widthMs, bytes, busy }, elapsedMs }) {
    // The last bucket is not over yet, and too short a piece of it says nothing.
    const lengths = bytes.map((_, at) => Math.min(widthMs, Math.max(elapsedMs - at * widthMs, widthMs / 4)))
    return [
      bytes.map((_, at) => Math.min((at + 0.5) * widthMs, elapsedMs)),
      bytes.map((one, at) => (one * 1000) / lengths[at]),
      busy.map((ms, at) => ms / lengths[at]),
    ]
  }

  /** @param {(from: number, to: number) => void} onView told what is shown, in ms */
  function createRate(host, readout, onView) {
    let plot
    let data

    function create(width, height) {
      plot?.destroy()
      // Above the highest value is room for the marks.
      const room = height / (height - 34 - MARKS.length * MARK_HEIGHT)
      const range = column => u => [0, Math.max(1, ...u.data[column]) * room]
      const line = (scale, color, more) => ({ scale, stroke: () => css(color), points: { show: false }, ...more })
      plot = new uPlot(
        {
          ...{ width, height, ...noLegend },
          padding: [8, 4, 0, 4],
          cursor: { y: false, drag: { x: true, y: false } },
          scales: { x: { time: false }, y: { range: range(1) }, n: { range: range(2) } },
          series: [
            {},
            line('y', 'usual', { width: 1.75, fill: () => css('area') }),
            line('n', 'flight', { width: 1.25, dash: [5, 4] }),
          ],
          axes: [
            axis(STEPS_MS, duration, { space: 76, size: 30 }),
            axis(POWERS, size, { scale: 'y', size: 66, space: 36 }),
            axis(ROUND, format.formatCount, { scale: 'n', side: 1, size: 40, space: 36, grid: { show: false } }),
          ],
          hooks: {
            drawClear: [u => drawMarks(u, data)],
            setScale: [(u, key) => key === 'x' && onView(u.scales.x.min, u.scales.x.max)],
            setCursor: [u => tell(u.cursor.idx)],
          },
        },
        columnsOf(data),
        host,
      )
    }

    function tell(at) {
      readout.textContent = ''
      if (at == null) return
      const [ms, rate, busy] = plot.data.map(values => values[at])
      const marks = MARKS.filter(name => data.timeline[name][at] > 0).map(name => `${data.timeline[name][at]} ${name}`)
      const when = `After ${duration(ms)} (${new Date(data.startMs + ms).toISOString().slice(11, 19)} UTC)`
      readout.textContent = [when, format.formatRate(rate), `${busy.toFixed(1)} under way`, ...marks].join(', ')
    }

    return {
      draw(newer, width, { from, to }, anew) {
        data = newer
        if (!plot || anew || plot.width !== width) create(width, width < 560 ? 200 : 260)
        else plot.setData(columnsOf(data), false)
        plot.setScale('x', { min: from, max: to })
      },
      zoom: (min, max) => plot.setScale('x', { min, max }),
      /** Of the plot, in CSS pixels. */
      edges: () => ({ left: plot.bbox.left / devicePixelRatio, width: plot.bbox.width / devicePixelRatio }),
    }
  }

  function drawTimes(host, { times }, width) {
    host.replaceChildren()
    const [first, last] = [times[0].at, times.at(-1).at]
    const counts = Array.from({ length: last - first + 1 }, () => 0)
    for (const { at, count } of times) counts[at - first] = count
    // Where a bucket begins: see PER_OCTAVE of collector.js.
    const bound = at => (Number.isInteger(at) ? duration(2 ** (at / 3)) : '')
    const paths = uPlot.paths.bars({ size: [0.96, 999], align: 1 })
    new uPlot(
      {
        ...{ width, height: 180, ...noLegend },
        cursor: { show: false },
        scales: { x: { time: false, range: [first, last + 1] }, y: { range: (_, __, most) => [0, most * 1.05] } },
        series: [{}, { fill: () => css('usual'), width: 0, paths, points: { show: false } }],
        axes: [
          axis([1, 3, 6, 9, 12], bound, { space: 60, size: 30, grid: { show: false } }),
          axis(ROUND, format.formatCount, { size: 66, space: 40 }),
        ],
      },
      [counts.map((_, at) => first + at), counts],
      host,
    )
  }

  return { createRate, css, drawTimes, duration, font, marksOf, stepsMs: STEPS_MS }
})()
