// @ts-nocheck: for browsers
'use strict'

/** The charts of the page, by uPlot: throughput over time, each part or object as a bar of a lane, and how long things took. */

/* global format, uPlot */

/** An element with its properties; strings become text, in which numbers stay with their units. */
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children.flatMap(child => (typeof child === 'string' ? words(child) : child)))
  return element
}

/** @param {string} text @returns {Array<Node | string>} */
function words(text) {
  const one = piece => Object.assign(document.createElement('span'), { className: 'one', textContent: piece })
  return format.measures(text).map((piece, at) => (at % 2 === 1 ? one(piece) : piece))
}

// biome-ignore lint/correctness/noUnusedVariables: draw.js uses it
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
  const timeAxis = () => axis(STEPS_MS, duration, { space: 76, size: 30 })
  /** How wide the axes left and right of the charts are that show the same time. */
  const [LEFT, RIGHT] = [66, 40]
  /** Tells the others what is shown. */
  const setScale = onView => [(u, key) => key === 'x' && onView(u.scales.x.min, u.scales.x.max)]
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

  /** The middle of each bucket in ms, bytes or objects a second, and how many were under way. */
  function columnsOf({ timeline: { widthMs, busy, ...timeline }, perSecond, elapsedMs }) {
    const bytes = timeline[perSecond]
    // The last bucket is not over yet, and too short a piece of it says nothing.
    const lengths = bytes.map((_, at) => Math.min(widthMs, Math.max(elapsedMs - at * widthMs, widthMs / 4)))
    return [
      bytes.map((_, at) => Math.min((at + 0.5) * widthMs, elapsedMs)),
      bytes.map((one, at) => (one === null ? null : (one * 1000) / lengths[at])),
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
      const most = (u, column) => Math.max(1, ...u.data[column])
      const range = column => u => [0, most(u, column) * room]
      // Above the highest value no number stands: nothing reached it.
      const upTo = (column, text) => (u, splits) => splits.map(one => (one <= most(u, column) ? text(one) : ''))
      const isBytes = data.perSecond === 'bytes'
      const line = (scale, color, more) => ({ scale, stroke: () => css(color), points: { show: false }, ...more })
      plot = new uPlot(
        {
          width,
          height,
          ...noLegend,
          padding: [8, 4, 0, 4],
          cursor: { y: false, drag: { x: true, y: false } },
          scales: { x: { time: false }, y: { range: range(1) }, n: { range: range(2) } },
          series: [
            {},
            line('y', 'usual', { width: 1.75, fill: () => css('area') }),
            line('n', 'flight', { width: 1.25, dash: [5, 4] }),
          ],
          axes: [
            timeAxis(),
            axis(isBytes ? POWERS : ROUND, isBytes ? size : format.formatCount, { scale: 'y', size: LEFT, space: 36 }),
            axis(ROUND, format.formatCount, {
              scale: 'n',
              side: 1,
              size: RIGHT,
              space: 36,
              grid: { show: false },
              values: upTo(2, format.formatCount),
            }),
          ],
          hooks: {
            drawClear: [u => drawMarks(u, data)],
            setScale: setScale(onView),
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
      const pace = rate === null ? [] : [data.perSecond === 'bytes' ? format.formatRate(rate) : format.formatPace(rate)]
      readout.replaceChildren(...words([when, ...pace, `${busy.toFixed(1)} under way`, ...marks].join(', ')))
    }

    return {
      draw(newer, width, { from, to }, given) {
        const anew = given || data?.perSecond !== newer.perSecond
        data = newer
        if (!plot || anew || plot.width !== width) create(width, width < 560 ? 200 : 260)
        else plot.setData(columnsOf(data), false)
        plot.setScale('x', { min: from, max: to })
      },
      show: (min, max) => plot.setScale('x', { min, max }),
    }
  }

  /** @param {(from: number, to: number) => void} onView told what is shown, or asked to show it, in ms */
  function createWaterfall(host, onView) {
    const TOP = 20
    const MOST_HEIGHT = 360
    const tip = host.firstElementChild
    Object.assign(host, { tabIndex: 0, role: 'group', ariaLabel: 'Waterfall' })
    let plot
    let data
    let laneHeight = 1

    function create(width, height) {
      plot?.destroy()
      const blank = { values: () => [], grid: { show: false }, ticks: { show: false } }
      plot = new uPlot(
        {
          width,
          height,
          ...noLegend,
          padding: [TOP, 4, 0, 4],
          cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: false } },
          scales: { x: { time: false }, y: { range: [0, 1] } },
          series: [{}, { paths: () => null, points: { show: false } }],
          axes: [timeAxis(), { ...blank, size: LEFT }, { ...blank, side: 1, size: RIGHT }],
          hooks: { draw: [drawBars], setScale: setScale(onView), setCursor: [showTip] },
        },
        [[], []],
        host,
      )
    }

    const xOf = ms => plot.valToPos(ms, 'x')

    function drawBars({ ctx, bbox, scales: { x: view } }) {
      ctx.save()
      ctx.beginPath()
      ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height)
      ctx.clip()
      ctx.translate(bbox.left, bbox.top)
      ctx.scale(devicePixelRatio, devicePixelRatio)
      drawPhases(ctx, view)
      const gap = laneHeight >= 8 ? 3 : laneHeight >= 4 ? 1 : 0
      // What is rare lies above what is usual.
      for (const kind of ['usual', 'open', 'retried', 'hedged', 'failed']) {
        ctx.fillStyle = css(kind)
        for (const bar of data.bars.rows) {
          if (bar.kind !== kind || bar.endMs < view.min || bar.startMs > view.max) continue
          const x = xOf(bar.startMs)
          const long = Math.max(bar.endMs > bar.startMs ? 1 : 3, xOf(bar.endMs) - x - (laneHeight >= 8 ? 1 : 0))
          ctx.fillRect(x, bar.lane * laneHeight, long, Math.max(1, laneHeight - gap))
        }
      }
      ctx.restore()
    }

    function drawPhases(ctx, { min, max }) {
      const { clientWidth, clientHeight } = plot.over
      Object.assign(ctx, { strokeStyle: css('muted'), fillStyle: css('muted'), lineWidth: 1, font: font() })
      Object.assign(ctx, { textAlign: 'left', textBaseline: 'alphabetic' })
      ctx.setLineDash([3, 3])
      let free = 0
      for (const { ms, phase } of data.phases) {
        if (ms < min || ms > max) continue
        const line = Math.round(xOf(ms)) + 0.5
        ctx.beginPath()
        ctx.moveTo(line, 0)
        ctx.lineTo(line, clientHeight)
        ctx.stroke()
        const wide = ctx.measureText(phase).width
        const x = Math.min(line, clientWidth - wide)
        if (x < free) continue
        ctx.fillText(phase, x, -7)
        free = x + wide + 12
      }
    }

    /** The bar at a place; those that are narrow can be met too. */
    function barAt(x, y) {
      const lane = Math.floor(y / laneHeight)
      const lanesOff = laneHeight < 4 ? 2 / laneHeight : 0
      return data.bars.rows
        .filter(bar => Math.abs(bar.lane - lane) <= lanesOff && xOf(bar.startMs) - 3 <= x && xOf(bar.endMs) + 3 >= x)
        .sort((a, b) => a.endMs - a.startMs - (b.endMs - b.startMs))[0]
    }

    function showTip({ over, cursor: { left, top } }) {
      const bar = left >= 0 ? barAt(left, top) : undefined
      tip.hidden = !bar
      if (!bar) return
      tip.replaceChildren(...words(describe(bar)))
      const [x, y] = [left + over.offsetLeft, top + over.offsetTop]
      const { offsetWidth, offsetHeight } = tip
      tip.style.left = `${Math.max(0, Math.min(x + 14, host.clientWidth - offsetWidth))}px`
      tip.style.top = `${y + 18 + offsetHeight > host.clientHeight ? y - offsetHeight - 10 : y + 18}px`
    }

    function describe({ name, bytes, bytesDone, startMs, endMs, attempt, code, kind }) {
      const ms = endMs - startMs
      const isOpen = kind === 'open'
      const facts = [
        name,
        kind === 'failed' ? `failed${code ? ` with ${code}` : ''}` : isOpen ? 'under way' : kind !== 'usual' && kind,
        attempt > 1 && `attempt ${attempt}`,
        bytes > 0 && `${bytesDone > 0 ? `${format.formatBytes(bytesDone)} of ` : ''}${format.formatBytes(bytes)}`,
        ms > 0 && `${isOpen ? 'for' : 'in'} ${format.formatDuration(ms)}`,
        ms > 0 && bytes > 0 && !isOpen && data.perSecond === 'bytes' && format.formatRate((bytes * 1000) / ms),
        `from ${duration(startMs)}`,
      ]
      return facts.filter(Boolean).join(', ')
    }

    const view = () => plot.scales.x
    const zoom = (factor, at = (view().min + view().max) / 2) =>
      onView(at - (at - view().min) * factor, at + (view().max - at) * factor)
    function pan(share) {
      const { min, max } = view()
      onView(min + share * (max - min), max + share * (max - min))
    }
    // Without the focus the wheel scrolls the page.
    host.onwheel = event => {
      if (document.activeElement !== host && !event.ctrlKey) return
      event.preventDefault()
      const { left, width } = plot.over.getBoundingClientRect()
      const x = Math.min(Math.max(event.clientX - left, 0), width)
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / width)
      else zoom(1.002 ** event.deltaY, plot.posToVal(x, 'x'))
    }
    const closer = () => zoom(1 / 1.5)
    const KEYS = {
      '+': closer,
      '=': closer,
      '-': () => zoom(1.5),
      0: () => onView(0, data.elapsedMs),
      ArrowLeft: () => pan(-0.2),
      ArrowRight: () => pan(0.2),
    }
    host.onkeydown = event => {
      if (!KEYS[event.key] || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      KEYS[event.key]()
    }

    return {
      draw(newer, width, { from, to }, anew) {
        data = newer
        const { rows, lanes } = data.bars
        laneHeight = Math.min(Math.max(56, lanes * 16), MOST_HEIGHT) / Math.max(1, lanes)
        const height = TOP + Math.round(laneHeight * lanes) + 30
        if (!plot || anew || plot.width !== width || plot.height !== height) create(width, height)
        plot.setData(
          [
            [0, data.elapsedMs],
            [0, 0],
          ],
          false,
        )
        plot.setScale('x', { min: from, max: to })
        const [many, used] = [rows.length, lanes].map(format.formatCount)
        const ariaLabel = `${many} bars in ${used} lanes over ${duration(data.elapsedMs)}.`
        Object.assign(plot.ctx.canvas, { role: 'img', ariaLabel })
      },
      show: (min, max) => plot?.setScale('x', { min, max }),
      zoom,
    }
  }

  function drawTimes(host, { times }, width) {
    host.replaceChildren()
    const [first, last] = [times[0].at, times.at(-1).at]
    const counts = Array.from({ length: last - first + 1 }, () => 0)
    for (const { at, count } of times) counts[at - first] = count
    // Where a bucket begins: see PER_OCTAVE of over-time.js.
    const bound = at => (Number.isInteger(at) ? duration(2 ** (at / 3)) : '')
    const paths = uPlot.paths.bars({ size: [0.96, 999], align: 1 })
    new uPlot(
      {
        width,
        height: 180,
        ...noLegend,
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

  return { createRate, createWaterfall, drawTimes, marksOf }
})()
