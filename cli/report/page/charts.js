// @ts-nocheck: for browsers
'use strict'

/** The charts of the page, by uPlot: throughput over time, and how long things took. */

/* global format, uPlot */

// biome-ignore lint/correctness/noUnusedVariables: waterfall.js and draw.js use it
const charts = (() => {
  const SECOND = 1000
  const STEPS_MS = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800].map(s => s * SECOND),
  ]
  for (let h = 1; h < 20_000; h *= 2) STEPS_MS.push(h * 3600 * SECOND)
  const POWERS = Array.from({ length: 60 }, (_, power) => 2 ** power)
  /** What a bucket counts, and its colour. */
  const MARKS = [
    ['throttled', 'throttles'],
    ['retried', 'retries'],
    ['hedged', 'hedges'],
    ['failed', 'failures'],
  ]
  const MARK_HEIGHT = 9

  const css = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)
  const font = () => `12px ${getComputedStyle(document.body).fontFamily}`
  const duration = ms =>
    ms === 0 ? '0' : format.formatDuration(ms).replace(/\.0 s$| 00 (s|min)$/, found => (found === '.0 s' ? ' s' : ''))
  const size = bytes => (bytes === 0 ? '0' : format.formatBytes(bytes).replace(/\.0+ /, ' '))
  const sum = values => values.reduce((one, other) => one + other, 0)

  const axis = more => ({
    stroke: () => css('muted'),
    font: font(),
    grid: { stroke: () => css('rule'), width: 1 },
    ticks: { show: false },
    gap: 6,
    ...more,
  })

  /** What there is of it, at the top of the plot, a row for each kind; and outages behind it. */
  function drawMarks({ ctx, bbox, valToPos }, { timeline, outages, phases, elapsedMs }) {
    const ratio = devicePixelRatio
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.fillStyle = css('away')
    for (const { fromMs, toMs = elapsedMs } of outages) {
      const [from, to] = [fromMs, toMs].map(ms => valToPos(ms, 'x', true))
      ctx.fillRect(from, bbox.top, Math.max(to - from, 2 * ratio), bbox.height)
    }
    ctx.strokeStyle = css('muted')
    ctx.setLineDash([3 * ratio, 3 * ratio])
    for (const { ms } of phases) {
      const x = Math.round(valToPos(ms, 'x', true)) + 0.5
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
    }
    const kinds = MARKS.filter(([name]) => sum(timeline[name]) > 0)
    for (const [row, [name]] of kinds.entries()) {
      ctx.fillStyle = css(name)
      for (const [at, count] of timeline[name].entries()) {
        if (count === 0) continue
        const x = valToPos((at + 0.5) * timeline.widthMs, 'x', true)
        ctx.fillRect(x - 1.5 * ratio, bbox.top + row * MARK_HEIGHT * ratio, 3 * ratio, (MARK_HEIGHT - 2) * ratio)
      }
    }
    ctx.restore()
  }

  /** @param {any} data @returns x: the middle of each bucket, in ms */
  function columnsOf({ timeline, elapsedMs }) {
    const { widthMs, bytes, inFlight } = timeline
    const from = bytes.map((_, at) => at * widthMs)
    // The last bucket is not over yet, and too short a piece of it says nothing.
    const rates = bytes.map(
      (one, at) => (one * SECOND) / Math.min(widthMs, Math.max(elapsedMs - from[at], widthMs / 4)),
    )
    return [from.map(ms => Math.min(ms + widthMs / 2, elapsedMs)), rates, inFlight]
  }

  /** @param {(from: number, to: number) => void} onView */
  function createRate(host, readout, onView) {
    let plot
    let shown

    function create(width, height) {
      plot?.destroy()
      const most = { y: values => Math.max(1, ...values), n: values => Math.max(1, ...values) }
      const range = (column, share) => u => [
        0,
        (most.y(u.data[column]) * share * height) / (height - 30 - MARKS.length * MARK_HEIGHT),
      ]
      plot = new uPlot(
        {
          width,
          height,
          legend: { show: false },
          cursor: { y: false, drag: { x: true, y: false }, points: { size: 6 } },
          scales: { x: { time: false }, y: { range: range(1, 1) }, n: { range: range(2, 1.02) } },
          series: [
            {},
            { scale: 'y', stroke: () => css('usual'), fill: () => css('area'), width: 1.75, points: { show: false } },
            {
              scale: 'n',
              stroke: () => css('flight'),
              width: 1,
              dash: [4, 3],
              points: { show: false },
              paths: uPlot.paths.stepped({ align: 0 }),
            },
          ],
          axes: [
            axis({ incrs: STEPS_MS, space: 84, values: (_, splits) => splits.map(duration), size: 30 }),
            axis({ incrs: POWERS, scale: 'y', size: 66, space: 36, values: (_, splits) => splits.map(size) }),
            axis({
              scale: 'n',
              side: 1,
              size: 44,
              space: 36,
              grid: { show: false },
              incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
            }),
          ],
          hooks: {
            drawClear: [u => drawMarks(u, shown)],
            setScale: [(u, key) => key === 'x' && onView(u.scales.x.min, u.scales.x.max)],
            setCursor: [u => tell(u.cursor.idx)],
          },
        },
        columnsOf(shown),
        host,
      )
    }

    function tell(at) {
      const { timeline, startMs } = shown
      if (at == null) {
        readout.textContent = ''
        return
      }
      const [x, rates, flight] = plot.data
      const time = new Date(startMs + x[at]).toISOString().slice(11, 19)
      const marks = MARKS.filter(([name]) => timeline[name][at] > 0).map(
        ([name, text]) => `${timeline[name][at]} ${text}`,
      )
      readout.textContent = [
        `After ${duration(Math.round(x[at]))} (${time} UTC)`,
        `${format.formatBytes(rates[at])}/s`,
        `${flight[at]} under way`,
        ...marks,
      ].join(', ')
    }

    return {
      draw(data, width, { from, to }, anew) {
        shown = data
        const height = width < 560 ? 200 : 260
        if (!plot || anew || plot.width !== width) create(width, height)
        else plot.setData(columnsOf(data), false)
        plot.setScale('x', { min: from, max: to })
      },
      zoom: (from, to) => plot.setScale('x', { min: from, max: to }),
      /** Of the plot, in CSS pixels. */
      edges: () => ({ left: plot.bbox.left / devicePixelRatio, width: plot.bbox.width / devicePixelRatio }),
      marks: data =>
        MARKS.map(([name, text]) => [name, text, sum(data.timeline[name])]).filter(([, , count]) => count > 0),
    }
  }

  function drawTimes(host, { times }, width) {
    host.replaceChildren()
    const [first, last] = [times[0].at, times.at(-1).at]
    const slots = Array.from({ length: last - first + 1 }, (_, at) => first + at)
    const counts = slots.map(at => times.find(one => one.at === at)?.count ?? 0)
    const bound = at => 2 ** (at / 3)
    new uPlot(
      {
        width,
        height: 190,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: () => [first - 0.7, last + 0.7] },
          y: { range: (_, __, max) => [0, max * 1.05] },
        },
        series: [
          {},
          {
            stroke: () => css('usual'),
            fill: () => css('usual'),
            width: 0,
            paths: uPlot.paths.bars({ size: [0.86, 46], align: 0 }),
            points: { show: false },
          },
        ],
        axes: [
          axis({
            incrs: [1, 2, 3, 6, 9, 12],
            space: 78,
            size: 30,
            grid: { show: false },
            values: (_, splits) => splits.map(at => (Number.isInteger(at) ? duration(bound(at)) : '')),
          }),
          axis({
            size: 66,
            space: 40,
            incrs: [1, 2, 5]
              .flatMap(one => Array.from({ length: 9 }, (_, power) => one * 10 ** power))
              .sort((a, b) => a - b),
            values: (_, splits) => splits.map(format.formatCount),
          }),
        ],
      },
      [slots, counts],
      host,
    )
  }

  return { createRate, css, drawTimes, duration, font, stepsMs: STEPS_MS }
})()
