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
  const canvas = host.appendChild(document.createElement('canvas'))
  const selected = host.appendChild(document.createElement('div'))
  const tip = host.appendChild(document.createElement('div'))
  selected.className = 'selected'
  tip.className = 'tip'
  selected.hidden = tip.hidden = true
  canvas.setAttribute('role', 'img')
  host.tabIndex = 0
  host.setAttribute('role', 'group')
  host.setAttribute('aria-labelledby', 'waterfall-title')
  host.setAttribute('aria-describedby', 'waterfall-keys')
  let data
  let view = { from: 0, to: 1 }
  let edges = { left: 0, width: 1 }
  let laneHeight = 1

  const xOf = ms => edges.left + ((ms - view.from) * edges.width) / (view.to - view.from)
  const msOf = x => view.from + ((x - edges.left) * (view.to - view.from)) / edges.width
  const clampX = x => Math.min(Math.max(x, edges.left), edges.left + edges.width)

  function draw() {
    const { bars, phases, elapsedMs } = data
    const wanted = Math.max(56, bars.lanes * 16)
    laneHeight = Math.min(wanted, MOST_HEIGHT) / Math.max(1, bars.lanes)
    const height = TOP + laneHeight * bars.lanes + BOTTOM
    const width = host.clientWidth
    canvas.width = width * devicePixelRatio
    canvas.height = height * devicePixelRatio
    canvas.style.width = `${width}px`
    canvas.style.height = `${height}px`
    const ctx = canvas.getContext('2d')
    ctx.scale(devicePixelRatio, devicePixelRatio)
    ctx.font = charts.font()
    drawTimes(ctx, height)
    ctx.save()
    ctx.beginPath()
    ctx.rect(edges.left, 0, edges.width, height)
    ctx.clip()
    drawPhases(ctx, phases, height)
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
    ctx.restore()
    canvas.setAttribute(
      'aria-label',
      `${format.formatCount(bars.rows.length)} bars in ${format.formatCount(bars.lanes)} lanes over ${duration(elapsedMs)}.`,
    )
  }

  function drawTimes(ctx, height) {
    const span = view.to - view.from
    const step = charts.stepsMs.find(ms => (ms * edges.width) / span >= 84) ?? span
    ctx.strokeStyle = css('rule')
    ctx.fillStyle = css('muted')
    ctx.textAlign = 'center'
    for (let ms = Math.ceil(view.from / step) * step; ms <= view.to; ms += step) {
      const x = Math.round(xOf(ms)) + 0.5
      ctx.beginPath()
      ctx.moveTo(x, TOP)
      ctx.lineTo(x, height - BOTTOM + 4)
      ctx.stroke()
      ctx.fillText(duration(ms), x, height - 6)
    }
  }

  function drawPhases(ctx, phases, height) {
    ctx.textAlign = 'left'
    ctx.strokeStyle = ctx.fillStyle = css('muted')
    let free = edges.left
    for (const { ms, phase } of phases) {
      const x = Math.round(xOf(ms)) + 0.5
      if (ms < view.from || ms > view.to) continue
      ctx.setLineDash([3, 3])
      ctx.beginPath()
      ctx.moveTo(x, TOP)
      ctx.lineTo(x, height - BOTTOM)
      ctx.stroke()
      const wide = ctx.measureText(phase).width
      const at = Math.min(x, edges.left + edges.width - wide)
      if (at < free) continue
      ctx.fillText(phase, at, TOP - 7)
      free = at + wide + 12
    }
    ctx.setLineDash([])
  }

  /** The bar at a place; those that are narrow can be met too. */
  function barAt(x, y) {
    const lane = Math.floor((y - TOP) / laneHeight)
    const near = data.bars.rows.filter(
      bar =>
        Math.abs(bar.lane - lane) <= (laneHeight < 4 ? 2 / laneHeight : 0) &&
        xOf(bar.startMs) - 3 <= x &&
        xOf(bar.endMs) + 3 >= x,
    )
    return near.sort((a, b) => a.endMs - a.startMs - (b.endMs - b.startMs))[0]
  }

  function showTip(x, y) {
    const bar = x >= edges.left && x <= edges.left + edges.width ? barAt(x, y) : undefined
    tip.hidden = !bar
    if (!bar) return
    tip.textContent = describe(bar)
    const { offsetWidth, offsetHeight } = tip
    tip.style.left = `${Math.max(0, Math.min(x + 14, host.clientWidth - offsetWidth))}px`
    tip.style.top = `${y + 18 + offsetHeight > canvas.clientHeight ? y - offsetHeight - 10 : y + 18}px`
  }

  function describe({ name, bytes, startMs, endMs, attempt, code, kind }) {
    const ms = endMs - startMs
    return [
      name,
      kind === 'failed' ? `failed${code ? ` with ${code}` : ''}` : kind !== 'usual' && kind,
      attempt > 1 && `attempt ${attempt}`,
      bytes > 0 && format.formatBytes(bytes),
      ms > 0 && `in ${format.formatDuration(ms)}`,
      ms > 0 && bytes > 0 && `${format.formatBytes((bytes * 1000) / ms)}/s`,
      `from ${duration(startMs)}`,
    ]
      .filter(Boolean)
      .join(', ')
  }

  const zoom = (factor, at = (view.from + view.to) / 2) =>
    onView(at - (at - view.from) * factor, at + (view.to - at) * factor)
  const pan = share => onView(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from))

  let dragFrom
  host.addEventListener('pointerdown', ({ offsetX, offsetY, button, pointerType }) => {
    showTip(offsetX, offsetY)
    if (button === 0 && pointerType === 'mouse') dragFrom = clampX(offsetX)
  })
  host.addEventListener('pointermove', ({ clientX, clientY }) => {
    const box = host.getBoundingClientRect()
    const [x, y] = [clientX - box.left, clientY - box.top]
    showTip(x, y)
    if (dragFrom === undefined) return
    const to = clampX(x)
    selected.hidden = Math.abs(to - dragFrom) < 4
    selected.style.left = `${Math.min(dragFrom, to)}px`
    selected.style.width = `${Math.abs(to - dragFrom)}px`
  })
  host.addEventListener('pointerleave', () => {
    tip.hidden = true
  })
  addEventListener('pointerup', ({ clientX }) => {
    if (dragFrom === undefined) return
    const to = clampX(clientX - host.getBoundingClientRect().left)
    if (!selected.hidden) onView(msOf(Math.min(dragFrom, to)), msOf(Math.max(dragFrom, to)))
    selected.hidden = true
    dragFrom = undefined
  })
  host.addEventListener('dblclick', () => onView(0, Number.POSITIVE_INFINITY))
  // Without the focus the wheel scrolls the page.
  host.addEventListener(
    'wheel',
    event => {
      if (document.activeElement !== host && !event.ctrlKey) return
      event.preventDefault()
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / edges.width)
      else zoom(1.002 ** event.deltaY, msOf(clampX(event.clientX - host.getBoundingClientRect().left)))
    },
    { passive: false },
  )
  const KEYS = {
    '+': () => zoom(1 / 1.5),
    '=': () => zoom(1 / 1.5),
    '-': () => zoom(1.5),
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
    0: () => onView(0, Number.POSITIVE_INFINITY),
  }
  host.addEventListener('keydown', event => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    KEYS[event.key]()
  })

  return {
    draw(newData, newView, newEdges) {
      data = newData
      view = newView
      edges = newEdges
      draw()
    },
    zoom,
  }
}
