// @ts-nocheck: for browsers
'use strict'

/** Each part or object as a bar of a lane, on a canvas of its own. */

/* global charts, format */

/** @param {(from: number, to: number) => void} onView asked to show this time, in ms */
// biome-ignore lint/correctness/noUnusedVariables: draw.js uses it
function createWaterfall(host, onView) {
  const TOP = 20
  const BOTTOM = 26
  const MOST_HEIGHT = 360
  const { css, duration } = charts
  const [canvas, selected, tip] = host.children
  Object.assign(host, { tabIndex: 0, role: 'group', ariaLabel: 'Waterfall' })
  const ctx = canvas.getContext('2d')
  let data
  let view = { from: 0, to: 1 }
  let edges = { left: 0, width: 1 }
  let laneHeight = 1
  let height = 0

  const xOf = ms => edges.left + ((ms - view.from) * edges.width) / (view.to - view.from)
  const msOf = x => view.from + ((x - edges.left) * (view.to - view.from)) / edges.width
  const clampX = x => Math.min(Math.max(x, edges.left), edges.left + edges.width)

  function draw() {
    const { bars, elapsedMs } = data
    laneHeight = Math.min(Math.max(56, bars.lanes * 16), MOST_HEIGHT) / Math.max(1, bars.lanes)
    height = TOP + laneHeight * bars.lanes + BOTTOM
    const width = host.clientWidth
    Object.assign(canvas, { width: width * devicePixelRatio, height: height * devicePixelRatio })
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` })
    ctx.scale(devicePixelRatio, devicePixelRatio)
    ctx.font = charts.font()
    drawTimes()
    ctx.beginPath()
    ctx.rect(edges.left, 0, edges.width, height)
    ctx.clip()
    drawPhases()
    const gap = laneHeight >= 8 ? 3 : laneHeight >= 4 ? 1 : 0
    // What is rare lies above what is usual.
    for (const kind of ['usual', 'retried', 'hedged', 'failed']) {
      ctx.fillStyle = css(kind)
      for (const bar of bars.rows) {
        if (bar.kind !== kind || bar.endMs < view.from || bar.startMs > view.to) continue
        const x = xOf(bar.startMs)
        const long = Math.max(bar.endMs > bar.startMs ? 1 : 3, xOf(bar.endMs) - x - (laneHeight >= 8 ? 1 : 0))
        ctx.fillRect(x, TOP + bar.lane * laneHeight, long, Math.max(1, laneHeight - gap))
      }
    }
    const [many, lanes] = [bars.rows.length, bars.lanes].map(format.formatCount)
    canvas.ariaLabel = `${many} bars in ${lanes} lanes over ${duration(elapsedMs)}.`
  }

  /** @returns {number} where the line is */
  function drawLine(ms, bottom) {
    const x = Math.round(xOf(ms)) + 0.5
    ctx.beginPath()
    ctx.moveTo(x, TOP)
    ctx.lineTo(x, bottom)
    ctx.stroke()
    return x
  }

  function drawTimes() {
    const span = view.to - view.from
    const step = charts.stepsMs.find(ms => (ms * edges.width) / span >= 84) ?? span
    Object.assign(ctx, { strokeStyle: css('rule'), fillStyle: css('muted'), textAlign: 'center' })
    for (let ms = Math.ceil(view.from / step) * step; ms <= view.to; ms += step)
      ctx.fillText(duration(ms), drawLine(ms, height - BOTTOM + 4), height - 6)
  }

  function drawPhases() {
    Object.assign(ctx, { strokeStyle: css('muted'), textAlign: 'left' })
    ctx.setLineDash([3, 3])
    let free = edges.left
    for (const { ms, phase } of data.phases) {
      if (ms < view.from || ms > view.to) continue
      const wide = ctx.measureText(phase).width
      const x = Math.min(drawLine(ms, height - BOTTOM), edges.left + edges.width - wide)
      if (x < free) continue
      ctx.fillText(phase, x, TOP - 7)
      free = x + wide + 12
    }
  }

  /** The bar at a place; those that are narrow can be met too. */
  function barAt(x, y) {
    const lane = Math.floor((y - TOP) / laneHeight)
    const lanesOff = laneHeight < 4 ? 2 / laneHeight : 0
    return data.bars.rows
      .filter(bar => Math.abs(bar.lane - lane) <= lanesOff && xOf(bar.startMs) - 3 <= x && xOf(bar.endMs) + 3 >= x)
      .sort((a, b) => a.endMs - a.startMs - (b.endMs - b.startMs))[0]
  }

  function showTip(x, y) {
    const bar = x === clampX(x) ? barAt(x, y) : undefined
    tip.hidden = !bar
    if (!bar) return
    tip.textContent = describe(bar)
    const { offsetWidth, offsetHeight } = tip
    tip.style.left = `${Math.max(0, Math.min(x + 14, host.clientWidth - offsetWidth))}px`
    tip.style.top = `${y + 18 + offsetHeight > height ? y - offsetHeight - 10 : y + 18}px`
  }

  function describe({ name, bytes, startMs, endMs, attempt, code, kind }) {
    const ms = endMs - startMs
    const facts = [
      name,
      kind === 'failed' ? `failed${code ? ` with ${code}` : ''}` : kind !== 'usual' && kind,
      attempt > 1 && `attempt ${attempt}`,
      bytes > 0 && format.formatBytes(bytes),
      ms > 0 && `in ${format.formatDuration(ms)}`,
      ms > 0 && bytes > 0 && format.formatRate((bytes * 1000) / ms),
      `from ${duration(startMs)}`,
    ]
    return facts.filter(Boolean).join(', ')
  }

  const zoom = (factor, at = (view.from + view.to) / 2) =>
    onView(at - (at - view.from) * factor, at + (view.to - at) * factor)
  const pan = share => onView(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from))
  const all = () => onView(0, Number.POSITIVE_INFINITY)

  let dragFrom
  /** @param {MouseEvent} event @returns {[x: number, y: number]} */
  function placeOf({ clientX, clientY }) {
    const { left, top } = host.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }
  /** What is selected, in pixels. */
  const dragged = event => [dragFrom, clampX(placeOf(event)[0])].sort((a, b) => a - b)
  host.onpointerdown = event => {
    const [x, y] = placeOf(event)
    showTip(x, y)
    if (event.button === 0 && event.pointerType === 'mouse') dragFrom = clampX(x)
  }
  host.onpointermove = event => {
    showTip(...placeOf(event))
    if (dragFrom === undefined) return
    const [from, to] = dragged(event)
    selected.hidden = to - from < 4
    Object.assign(selected.style, { left: `${from}px`, width: `${to - from}px` })
  }
  host.onpointerleave = () => {
    tip.hidden = true
  }
  addEventListener('pointerup', event => {
    if (!selected.hidden) onView(...dragged(event).map(msOf))
    selected.hidden = true
    dragFrom = undefined
  })
  host.ondblclick = all
  // Without the focus the wheel scrolls the page.
  host.onwheel = event => {
    if (document.activeElement !== host && !event.ctrlKey) return
    event.preventDefault()
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / edges.width)
    else zoom(1.002 ** event.deltaY, msOf(clampX(placeOf(event)[0])))
  }
  const closer = () => zoom(1 / 1.5)
  const KEYS = {
    ...{ '+': closer, '=': closer, '-': () => zoom(1.5), 0: all },
    ...{ ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2) },
  }
  host.onkeydown = event => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    KEYS[event.key]()
  }

  return {
    draw(...newer) {
      ;[data, view, edges] = newer
      draw()
    },
    zoom,
  }
}
