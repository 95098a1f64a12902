// @ts-nocheck: for browsers
'use strict'
  /** Draws the page from its data, and again when there is newer data or another width. Texts get into it as text alone. */
  /* global charts, createWaterfall, format */
;(() => {
  const at = id => document.getElementById(id)
  const { formatBytes, formatCount, formatDuration, formatRate } = format
  let data = JSON.parse(at('data').textContent)
  /** The time that is shown, in ms. */
  let view = { from: 0, to: 0 }

  /** @param {string} tag @param {Array<Node | string>} children */
  function make(tag, ...children) {
    const element = document.createElement(tag)
    element.append(...children)
    return element
  }

  /** Fills an element; its section is there if there is something in it. @param {string} id @param {Node[]} nodes */
  function fill(id, nodes) {
    at(id).replaceChildren(...nodes)
    at(`${id}-section`).hidden = nodes.length === 0
  }

  const each = (tag, texts) => texts.filter(Boolean).map(text => make(tag, text))
  const pairs = rows => rows.map(([label, text]) => make('div', make('dt', label), make('dd', text)))
  const withNote = (text, note) => (note ? make('span', text, make('small', note)) : text)

  /**
   * @param {Array<[label: string, text: (row: any) => Node | string, classes?: string]>} columns wide: not on a phone
   * @param {any[]} rows
   * @returns {Node[]} none if there are no rows
   */
  function table(columns, rows) {
    const line = (tag, textOf) =>
      make(
        'tr',
        ...columns.map(column => Object.assign(make(tag, textOf(column) ?? ''), { className: column[2] ?? '' })),
      )
    const body = rows.map(row => line('td', ([, text]) => text(row)))
    const head = line('th', ([label]) => label)
    return rows.length === 0 ? [] : [make('table', make('thead', head), make('tbody', ...body))]
  }

  /** A key of a legend: the name of its colour, and what it is. */
  function key(color, text) {
    const element = Object.assign(make('span', make('i'), text), { className: 'key' })
    element.style.setProperty('--of', `var(--${color})`)
    return element
  }

  /** All that shows time follows. @param {number} from @param {number} to */
  function setView(from, to) {
    const span = Math.min(Math.max(to - from, 5), data.elapsedMs)
    const start = Math.min(Math.max(0, from), data.elapsedMs - span)
    if (Math.abs(start - view.from) + Math.abs(start + span - view.to) < 0.5) return
    view = { from: start, to: start + span }
    rate.zoom(view.from, view.to)
    waterfall.draw(data, view, rate.edges())
  }
  const rate = charts.createRate(at('rate'), at('rate-readout'), setView)
  const waterfall = createWaterfall(at('waterfall'), setView)
  at('zoom-in').onclick = () => waterfall.zoom(1 / 2)
  at('zoom-out').onclick = () => waterfall.zoom(2)
  at('zoom-all').onclick = () => setView(0, data.elapsedMs)

  function drawTexts() {
    const { words, startMs, notices, failures, heldBack } = data
    const cut = data.running && document.documentElement.dataset.live === 'false'
    const { state, lines } = words.headline
    const title = cut ? 'No end' : words.headline.title
    document.title = `xfer: ${title}: ${words.source} → ${words.destination}`
    document.documentElement.style.setProperty('--state', `var(--${state})`)
    at('when').textContent = startMs ? `of ${new Date(startMs).toISOString().slice(0, 19).replace('T', ' ')} UTC` : ''
    at('title').textContent = title
    at('lines').replaceChildren(
      ...each('p', [...lines, cut && 'Here the events stop: the job is still under way, or it was killed.']),
    )
    fill('figures', pairs(words.figures))
    fill('proof', [make('ul', ...each('li', words.proof)), ...each('small', words.remarks)])
    at('proof-section').hidden = words.proof.length + words.remarks.length === 0
    fill('held', heldBack ? each('p', [heldBack.message, heldBack.option && `Option: ${heldBack.option}`]) : [])
    fill('notices', each('li', [...notices, ...data.outages.map(outageText)]))
    fill('asked', pairs(words.asked))
    fill('limits', pairs(words.limits))
    fill('failures', failuresNodes(failures))
  }

  const outageText = ({ fromMs, toMs, text }) =>
    `${text} From ${formatDuration(fromMs)} ${toMs === undefined ? 'on' : `to ${formatDuration(toMs)}`}.`

  function failuresNodes({ count, rows, codes }) {
    const counts = Object.entries(codes).map(([code, many]) => `${code}: ${formatCount(many)}`)
    const first = count > rows.length ? ` The first ${rows.length} of them:` : ''
    const columns = [
      ['Object', ({ name, code }) => withNote(name, code)],
      ['What happened, and what to do', ({ message, hint }) => withNote(message, hint)],
    ]
    return rows.length === 0 ? [] : [make('small', `${counts.join(', ')}.${first}`), ...table(columns, rows)]
  }

  function drawSlowest() {
    const ms = ({ startMs, endMs }) => endMs - startMs
    const columns = [
      [data.items === 'part' ? 'Part' : 'Object', ({ name, kind }) => withNote(name, kind !== 'usual' && kind)],
      ['Took', row => formatDuration(ms(row)), 'number'],
      ['Size', ({ bytes }) => formatBytes(bytes), 'number'],
      ['Rate', row => formatRate((row.bytes * 1000) / Math.max(1, ms(row))), 'number wide'],
      ['Began after', ({ startMs }) => formatDuration(startMs), 'number wide'],
    ]
    fill('slowest', table(columns, data.slowest))
  }

  const shown = value => (typeof value === 'number' ? formatCount(value) : String(value ?? ''))
  /** Whatever there is in it: numbers within objects become rows. @returns {Array<[string, string]>} */
  const flat = (value, path = []) =>
    value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([name, inner]) => flat(inner, [...path, name]))
      : [[path.join(' '), shown(value)]]

  function drawCost() {
    const { lines = [], total, currency = '', unknown = [] } = data.cost ?? {}
    const columns = [
      ['What', ({ what }) => shown(what)],
      ['How much', ({ count, unit = '' }) => `${shown(count)} ${unit}`, 'number'],
      ['Price', ({ price }) => String(price ?? ''), 'number wide'],
      ['Amount', ({ amount }) => (typeof amount === 'number' ? `${amount.toFixed(4)} ${currency}` : ''), 'number'],
      ['Source of the price', ({ source, date }) => [source, date].filter(Boolean).join(', '), 'wide'],
    ]
    const rows = total === undefined ? lines : [...lines, { what: 'Together', amount: total }]
    const left =
      unknown.length > 0 &&
      `Not known: ${unknown
        .map(one =>
          flat(one)
            .map(([, text]) => text)
            .join(' '),
        )
        .join(', ')}.`
    const used = [
      ['Used', ([name]) => name],
      ['How much', ([, text]) => text, 'number'],
    ]
    fill('cost', [...table(columns, rows), ...each('p', [left]), ...table(used, data.usage ? flat(data.usage) : [])])
  }

  /** What so large a share did not exceed. */
  function quantile(share) {
    let left = share * data.times.reduce((sum, { count }) => sum + count, 0)
    const found = data.times.find(({ count }) => {
      left -= count
      return left <= 0
    })
    return formatDuration(2 ** ((found.at + 1) / 3))
  }

  function drawCharts(anew) {
    const { bars, timeline, times, items, outages } = data
    const what = `${items}s`
    const marks = charts.marksOf(data).map(([name, count]) => key(name, `${formatCount(count)} ${name}`))
    const busy = timeline.busy.some(ms => ms > 0) ? [key('flight', 'under way at once (right)')] : []
    const away = outages.length > 0 ? [key('away', 'outage')] : []
    at('rate-hint').replaceChildren(key('usual', 'bytes a second'), ...busy, ...marks, ...away)
    at('rate-section').hidden = timeline.bytes.length < 2
    rate.draw(data, document.querySelector('main').clientWidth, view, anew)
    at('waterfall-section').hidden = bars.rows.length === 0
    const text = { usual: what, retried: 'after a retry', hedged: 'started twice', failed: 'failed attempts' }
    const kinds = Object.keys(text).filter(kind => bars.rows.some(bar => bar.kind === kind))
    const some = bars.seen > bars.rows.length ? `${formatCount(bars.rows.length)} of ${formatCount(bars.seen)}: ` : ''
    at('waterfall-hint').replaceChildren(some, ...kinds.map(kind => key(kind, text[kind])))
    if (bars.rows.length > 0) waterfall.draw(data, view, rate.edges())
    at('times-section').hidden = times.length === 0
    if (times.length === 0) return
    charts.drawTimes(at('times'), data, document.querySelector('main').clientWidth)
    const shares = [50, 95, 99].map(share => `${share} % of the ${what} took up to ${quantile(share / 100)}`)
    at('times-hint').textContent = `${shares.join(', ')}.`
  }

  function draw(newer) {
    const whole = view.from === 0 && view.to >= data.elapsedMs
    data = { ...newer, elapsedMs: Math.max(1, newer.elapsedMs) }
    if (whole || view.to === 0) view = { from: 0, to: data.elapsedMs }
    drawTexts()
    drawSlowest()
    drawCost()
    drawCharts(false)
  }

  const again = () => drawCharts(true)
  addEventListener('resize', again)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again)
  for (const [event, name] of [
    ['beforeprint', 'print'],
    ['afterprint', ''],
  ])
    addEventListener(event, () => {
      document.documentElement.className = name
      again()
    })
  window.xfer = { draw }
  draw(data)
})()
