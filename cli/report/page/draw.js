// @ts-nocheck: for browsers
'use strict'
  /** Draws the page from its data, and again when there is newer data or another width. Texts get into it as text alone. */
  /* global charts, format, make, words */
;(() => {
  const at = id => document.getElementById(id)
  const { formatBytes, formatCount, formatDuration, formatRate } = format
  let data = JSON.parse(at('data').textContent)
  /** The time that is shown, in ms. */
  let view = { from: 0, to: 0 }

  /** The section of an element is there if there is something in it. */
  const show = (id, isThere) => {
    at(id).closest('section').hidden = !isThere
  }
  function fill(id, nodes) {
    at(id).replaceChildren(...nodes)
    show(id, nodes.length > 0)
  }

  const each = (tag, texts) => texts.filter(Boolean).map(text => make(tag, {}, text))
  /** Long: a figure that needs two places of its grid. */
  const classOf = text => (text.length > 13 ? 'long' : '')
  const pairs = rows =>
    rows.map(([label, text]) => make('div', { className: classOf(text) }, make('dt', {}, label), make('dd', {}, text)))
  const withNote = (text, note) => make('span', {}, text, ...each('small', [note]))

  /**
   * @param {Array<[label: string, text: (row: any) => Node | string, classes?: string]>} columns wide: not on a phone
   * @param {any[]} rows
   * @param {string} [className]
   * @returns {Node[]} none if there are no rows
   */
  function table(columns, rows, className = '') {
    const line = (tag, textOf) =>
      make('tr', {}, ...columns.map(column => make(tag, { className: column[2] ?? '' }, textOf(column))))
    const head = line('th', ([label]) => label)
    const body = rows.map(row => line('td', ([, text]) => text(row)))
    return rows.length === 0 ? [] : [make('table', { className }, make('thead', {}, head), make('tbody', {}, ...body))]
  }

  /** A key of a legend: the name of its colour, and what it is. */
  const key = (color, text) => make('span', { className: 'key', style: `--of: var(--${color})` }, make('i'), text)

  /** All that shows time follows. @param {number} from @param {number} to */
  function setView(from, to) {
    const span = Math.min(Math.max(to - from, 5), data.elapsedMs)
    const start = Math.min(Math.max(0, from), data.elapsedMs - span)
    if (Math.abs(start - view.from) + Math.abs(start + span - view.to) < 0.5) return
    view = { from: start, to: start + span }
    for (const chart of [rate, waterfall]) chart.show(view.from, view.to)
  }
  const rate = charts.createRate(at('rate'), at('rate-readout'), setView)
  const waterfall = charts.createWaterfall(at('waterfall'), setView)
  at('zoom-in').onclick = () => waterfall.zoom(1 / 2)
  at('zoom-out').onclick = () => waterfall.zoom(2)
  at('zoom-all').onclick = () => setView(0, data.elapsedMs)

  function drawTexts() {
    const { startMs, notices, heldBack, outages } = data
    const told = data.words
    const cut = data.running && document.documentElement.dataset.live === 'false'
    const title = cut ? 'No end' : told.headline.title
    document.title = `xfer: ${title}: ${told.source} → ${told.destination}`
    document.documentElement.style.setProperty('--state', `var(--${told.headline.state})`)
    at('when').textContent = startMs ? `of ${new Date(startMs).toISOString().slice(0, 19).replace('T', ' ')} UTC` : ''
    at('title').textContent = title
    const end = cut && 'Here the events stop: the job is still under way, or it was killed.'
    at('lines').replaceChildren(...each('p', [...told.headline.lines, end]))
    at('go-on').hidden = !told.headline.command
    at('command').textContent = told.headline.command ?? ''
    at('done').hidden = data.share === undefined
    at('done').value = data.share ?? 0
    for (const id of ['figures', 'asked', 'limits']) fill(id, pairs(told[id]))
    fill('proof', [make('ul', {}, ...each('li', told.proof)), ...each('small', told.remarks)])
    show('proof', told.proof.length + told.remarks.length > 0)
    fill('held', heldBack ? each('p', [heldBack.message]) : [])
    fill('notices', each('li', [...notices, ...outages.map(outageText)]))
  }

  const outageText = ({ fromMs, toMs, text }) =>
    `${text} From ${formatDuration(fromMs)} ${toMs === undefined ? 'on' : `to ${formatDuration(toMs)}`}.`

  function drawTables() {
    const { failures, slowest, items, cost = {}, usage = {} } = data
    const counts = Object.entries(failures.codes)
      .map(([code, many]) => `${code}: ${formatCount(many)}`)
      .join(', ')
    const first = failures.count > failures.rows.length ? ` The first ${failures.rows.length} of them:` : ''
    const failed = [
      ['Object', ({ name, code }) => withNote(name, code)],
      ['What happened, and what to do', ({ message, hint }) => withNote(message, hint)],
    ]
    fill('failures', [...each('small', [counts && `${counts}.${first}`]), ...table(failed, failures.rows, 'stack')])

    const ms = ({ startMs, endMs }) => endMs - startMs
    const slow = [
      [items === 'part' ? 'Part' : 'Object', ({ name, kind }) => withNote(name, kind !== 'usual' && kind)],
      ['Took', row => formatDuration(ms(row)), 'number'],
      ['Size', ({ bytes }) => formatBytes(bytes), 'number'],
      ...(data.perSecond === 'bytes'
        ? [
            ['Rate', row => formatRate((row.bytes * 1000) / Math.max(1, ms(row))), 'number wide'],
            ['Began after', ({ startMs }) => formatDuration(startMs), 'number wide'],
          ]
        : []),
    ]
    fill('slowest', table(slow, slowest))

    const { lines = [], total, currency, unknown = [] } = cost
    const prices = [
      ['What', ({ what }) => what],
      ['How much', ({ count, unit }) => (unit ? `${formatCount(count)} ${unit}` : ''), 'number'],
      ['Price', ({ price = '' }) => String(price), 'number wide'],
      ['Amount', ({ amount }) => `${amount.toFixed(4)} ${currency}`, 'number'],
      ['Source of the price', ({ source, date }) => (source ? `${source}, ${date}` : ''), 'wide'],
    ]
    const used = [
      ['Used', ([name]) => name],
      ['How much', ([, count]) => formatCount(count), 'number'],
    ]
    fill('cost', [
      ...table(prices, lines.length > 0 ? [...lines, { what: 'Together', amount: total }] : []),
      ...each('p', [unknown.length > 0 && `Not known: ${unknown.join(', ')}.`]),
      ...table(used, usedOf(usage)),
    ])
  }

  /** @returns {Array<[what: string, count: number]>} */
  function usedOf({ requests = {}, bytesOut = {}, invocations, gbSeconds }) {
    const sides = of => Object.entries(of)
    return [
      ...sides(requests).flatMap(([side, kinds]) =>
        sides(kinds).map(([kind, count]) => [`${kind} requests to the ${side}`, count]),
      ),
      ...sides(bytesOut).map(([side, bytes]) => [`bytes that left the ${side}`, bytes]),
      ['invocations of functions', invocations],
      ['GB-seconds of functions', gbSeconds],
    ].filter(([, count]) => count > 0)
  }

  function drawCharts(anew) {
    const { bars, timeline, times, quantiles, items, outages, perSecond } = data
    const { clientWidth } = document.querySelector('main')
    const marks = charts.marksOf(data).map(([name, count]) => key(name, `${formatCount(count)} ${name}`))
    const busy = timeline.busy.some(ms => ms > 0) ? [key('flight', 'under way at once (right)')] : []
    const away = outages.length > 0 ? [key('away', 'outage')] : []
    at('rate-hint').replaceChildren(key('usual', `${perSecond} a second`), ...busy, ...marks, ...away)
    show('rate', timeline.bytes.length > 1)
    rate.draw(data, clientWidth, view, anew)

    const text = {
      usual: `${items}s`,
      open: 'under way',
      retried: 'after a retry',
      hedged: 'started twice',
      failed: 'failed attempts',
    }
    const kinds = Object.keys(text).filter(kind => bars.rows.some(bar => bar.kind === kind))
    const some = bars.seen > bars.rows.length ? `${formatCount(bars.rows.length)} of ${formatCount(bars.seen)}: ` : ''
    const told = perSecond === 'objects' && 'A bar ends when its object was proved; many are proved at a time.'
    at('waterfall-hint').replaceChildren(some, ...kinds.map(kind => key(kind, text[kind])), ...each('small', [told]))
    show('waterfall', bars.rows.length > 0)
    if (bars.rows.length > 0) waterfall.draw(data, clientWidth, view, anew)

    show('times', times.length > 0)
    if (times.length === 0) return
    charts.drawTimes(at('times'), data, clientWidth)
    const shares = quantiles.map(({ percent, ms }) => `${percent} % of the ${items}s took up to ${formatDuration(ms)}`)
    at('times-hint').replaceChildren(...words(`${shares.join(', ')}.`))
  }

  function draw(newer) {
    const whole = view.from === 0 && view.to >= data.elapsedMs
    data = { ...newer, elapsedMs: Math.max(1, newer.elapsedMs) }
    if (whole || view.to === 0) view = { from: 0, to: data.elapsedMs }
    drawTexts()
    drawTables()
    drawCharts(false)
  }

  /** With `--live`: snapshots as they come, and the button that stops the job. */
  function follow() {
    const [status, button] = at('live').children
    const say = text => {
      status.textContent = text
    }
    at('live').hidden = false
    const events = new EventSource('events')
    events.onopen = () => say('At work.')
    events.onmessage = ({ data: snapshot }) => draw(JSON.parse(snapshot))
    events.onerror = () => say('No answer from xfer: it has ended, or this page was slow. Trying again.')
    events.addEventListener('end', () => {
      events.close()
      say('It has ended. This page stays as it is.')
      button.remove()
    })
    button.onclick = async () => {
      button.disabled = true
      const { ok } = await fetch('stop', { method: 'POST' }).catch(() => ({ ok: false }))
      say(ok ? 'Stopping: waiting for what is under way.' : 'It could not be stopped.')
      button.disabled = ok
    }
  }

  const again = () => drawCharts(true)
  const print = name => () => {
    document.documentElement.className = name
    again()
  }
  addEventListener('resize', again)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again)
  addEventListener('beforeprint', print('print'))
  addEventListener('afterprint', print(''))
  window.xfer = { draw }
  draw(data)
  if (document.documentElement.dataset.live === 'true') follow()
})()
