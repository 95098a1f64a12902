// @ts-nocheck: for browsers
'use strict'
  /** Draws the page from its data, and again when there is newer data or room. Texts get into it as text alone. */
  /* global charts, createWaterfall, format */
;(() => {
  const at = id => document.getElementById(id)
  const { formatBytes, formatCount, formatDuration } = format
  let data = JSON.parse(at('data').textContent)
  /** The time that is shown, in ms. */
  let view = { from: 0, to: 1 }

  /** @param {string} tag @param {string} className @param {Array<Node | string>} children */
  function make(tag, className, ...children) {
    const element = document.createElement(tag)
    element.className = className
    element.append(...children)
    return element
  }

  /** Shows a section if there is something in it. */
  function section(name, isThere, fill) {
    at(`${name}-section`).hidden = !isThere
    if (isThere) fill(at(name))
  }

  const pairs = rows =>
    rows.map(([label, text]) => make('div', '', make('dt', '', label), make('dd', '', String(text))))
  const items = texts => texts.map(text => make('li', '', text))
  const paragraphs = texts => texts.filter(Boolean).map(text => make('p', '', text))

  /** @param {Array<{ label: string, text: (row: any) => Node | string, number?: boolean, wide?: boolean }>} columns wide: not on a phone */
  function table(columns, rows) {
    const classOf = ({ number, wide }) => [number && 'number', wide && 'wide'].filter(Boolean).join(' ')
    const head = columns.map(column => {
      const cell = make('th', classOf(column), column.label)
      cell.scope = 'col'
      return cell
    })
    const body = rows.map(row =>
      make('tr', '', ...columns.map(column => make('td', classOf(column), column.text(row)))),
    )
    return make('table', '', make('thead', '', make('tr', '', ...head)), make('tbody', '', ...body))
  }

  /** A key of a legend: the name of its colour, and what it is. */
  function key(color, text) {
    const swatch = make('i', '')
    swatch.style.setProperty('--of', `var(--${color})`)
    return make('span', 'key', swatch, text)
  }

  const plural = (count, noun) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

  /** Asked by the charts. Everything that shows time follows. */
  function setView(from, to) {
    const span = Math.min(Math.max(to - from, 5), data.elapsedMs)
    const start = Math.min(Math.max(0, from), data.elapsedMs - span)
    if (start === view.from && start + span === view.to) return
    view = { from: start, to: start + span }
    rate.zoom(view.from, view.to)
    waterfall.draw(data, view, rate.edges())
  }
  const rate = charts.createRate(at('rate'), at('rate-readout'), (from, to) => {
    if (Math.abs(from - view.from) + Math.abs(to - view.to) > 0.5) setView(from, to)
  })
  const waterfall = createWaterfall(at('waterfall'), setView)
  at('zoom-in').onclick = () => waterfall.zoom(1 / 2)
  at('zoom-out').onclick = () => waterfall.zoom(2)
  at('zoom-all').onclick = () => setView(0, data.elapsedMs)

  function drawTexts() {
    const { words, startMs, notices, failures, heldBack } = data
    const { headline, source, destination } = words
    document.title = `xfer: ${headline.title}: ${source} → ${destination}`
    document.documentElement.style.setProperty(
      '--state',
      `var(--${headline.state === 'bad' ? 'failed' : headline.state})`,
    )
    at('when').textContent = Number.isFinite(startMs)
      ? `of ${new Date(startMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
      : ''
    at('title').textContent = headline.title
    at('lines').replaceChildren(...paragraphs(headline.lines))
    section('figures', words.figures.length > 0, to => to.replaceChildren(...pairs(words.figures)))
    section('proof', words.proof.length + words.remarks.length > 0, to => to.replaceChildren(...items(words.proof)))
    at('remarks').replaceChildren(...paragraphs(words.remarks))
    section('held', heldBack, to => {
      to.textContent = [heldBack.message, heldBack.option && `Option: ${heldBack.option}.`].filter(Boolean).join(' ')
    })
    section('notices', notices.length > 0, to => to.replaceChildren(...items(notices)))
    section('asked', words.asked.length > 0, to => to.replaceChildren(...pairs(words.asked)))
    section('limits', words.limits.length > 0, to => to.replaceChildren(...pairs(words.limits)))
    section('failures', failures.count > 0, to => to.replaceChildren(failuresTable()))
    const codes = Object.entries(failures.codes).map(([code, count]) => `${code}: ${formatCount(count)}`)
    const more =
      failures.count > failures.rows.length
        ? `The first ${failures.rows.length} of ${formatCount(failures.count)}. `
        : ''
    at('failures-hint').textContent = `${more}${codes.join(', ')}.`
    drawCost()
  }

  function failuresTable() {
    const whole = ({ message, hint }) => make('span', '', message, ...(hint ? [make('small', '', hint)] : []))
    return table(
      [
        { label: 'Object', text: ({ name, code }) => make('span', '', name, make('small', '', code)) },
        { label: 'What happened, and what to do', text: whole },
      ],
      data.failures.rows,
    )
  }

  function drawSlowest() {
    const { slowest, items: noun } = data
    section('slowest', slowest.length > 0, to =>
      to.replaceChildren(
        table(
          [
            {
              label: noun === 'part' ? 'Part' : 'Object',
              text: ({ name, kind }) => (kind === 'usual' ? name : make('span', '', name, make('small', '', kind))),
            },
            { label: 'Took', number: true, text: ({ startMs, endMs }) => formatDuration(endMs - startMs) },
            { label: 'Size', number: true, text: ({ bytes }) => formatBytes(bytes) },
            {
              label: 'Rate',
              number: true,
              wide: true,
              text: ({ bytes, startMs, endMs }) => `${formatBytes((bytes * 1000) / Math.max(1, endMs - startMs))}/s`,
            },
            { label: 'Began after', number: true, wide: true, text: ({ startMs }) => formatDuration(startMs) },
          ],
          slowest,
        ),
      ),
    )
  }

  /** Whatever there is in it: numbers within objects become rows. @returns {Array<[string, unknown]>} */
  function flat(value, path = []) {
    if (value === null || typeof value !== 'object')
      return [[path.join(' '), typeof value === 'number' ? formatCount(value) : value]]
    return Object.entries(value).flatMap(([name, inner]) => flat(inner, [...path, name]))
  }

  function drawCost() {
    const { cost, usage } = data
    section('cost', cost || usage, to => to.replaceChildren(...(cost ? costNodes(cost) : [])))
    at('usage').replaceChildren(
      ...(usage
        ? [
            table(
              [
                { label: 'Used', text: row => row[0] },
                { label: 'How much', number: true, text: row => String(row[1]) },
              ],
              flat(usage),
            ),
          ]
        : []),
    )
  }

  function costNodes({ lines = [], total, currency = '', unknown = [] }) {
    const money = amount => (typeof amount === 'number' ? `${amount.toFixed(amount < 1 ? 4 : 2)} ${currency}` : '')
    const count = ({ count, unit }) => `${typeof count === 'number' ? formatCount(count) : ''} ${unit ?? ''}`
    return [
      table(
        [
          { label: 'What', text: ({ what }) => String(what) },
          { label: 'How much', number: true, text: count },
          { label: 'Price', number: true, wide: true, text: ({ price }) => String(price ?? '') },
          { label: 'Amount', number: true, text: ({ amount }) => money(amount) },
          {
            label: 'Source of the price',
            wide: true,
            text: ({ source, date }) => [source, date].filter(Boolean).join(', '),
          },
        ],
        [...lines, ...(total === undefined ? [] : [{ what: 'Together', amount: total }])],
      ),
      ...paragraphs(
        unknown.length > 0
          ? [`Not known: ${unknown.map(one => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ')}.`]
          : [],
      ),
    ]
  }

  /** The duration that so large a share does not exceed, at most. */
  function quantile(share) {
    let left = share * data.times.reduce((sum, { count }) => sum + count, 0)
    const found = data.times.find(({ count }) => {
      left -= count
      return left <= 0
    })
    return formatDuration(found.fromMs * 2 ** (1 / 3))
  }

  function drawCharts(anew) {
    const { bars, timeline, times, items: noun, elapsedMs } = data
    const width = at('rate-section').clientWidth || document.body.clientWidth - 40
    at('rate-hint').replaceChildren(
      key('usual', 'bytes a second'),
      ...(timeline.inFlight.some(count => count > 0) ? [key('flight', 'under way at once (right)')] : []),
      ...rate
        .marks(data)
        .map(([name, text, count]) =>
          key(
            name,
            `${formatCount(count)} ${count === 1 ? text.replace(/(ie)?s$/, found => (found === 'ies' ? 'y' : '')) : text}`,
          ),
        ),
      ...(data.outages.length > 0 ? [key('away', plural(data.outages.length, 'outage'))] : []),
    )
    at('rate-section').hidden = elapsedMs === 0
    if (elapsedMs > 0) rate.draw(data, width, view, anew)
    at('waterfall-section').hidden = bars.rows.length === 0 || elapsedMs === 0
    if (!at('waterfall-section').hidden) {
      const less =
        bars.seen > bars.rows.length ? `${formatCount(bars.rows.length)} of ${formatCount(bars.seen)} bars: ` : ''
      const kinds = ['usual', 'retried', 'hedged', 'failed'].filter(kind => bars.rows.some(bar => bar.kind === kind))
      const text = {
        usual: noun === 'part' ? 'parts' : 'objects',
        retried: 'after a retry',
        hedged: 'started twice',
        failed: 'failed attempts',
      }
      at('waterfall-hint').replaceChildren(less, ...kinds.map(kind => key(kind, text[kind])))
      waterfall.draw(data, view, rate.edges())
    }
    section('times', times.length > 0, to => charts.drawTimes(to, data, width))
    if (times.length > 0)
      at('times-hint').textContent =
        `How long ${noun === 'part' ? 'parts' : 'objects'} took. Half: up to ${quantile(0.5)}; 95 %: up to ${quantile(0.95)}; 99 %: up to ${quantile(0.99)}.`
  }

  function draw(newer) {
    const wasWhole = view.from === 0 && view.to === Math.max(1, data.elapsedMs)
    data = newer
    if (wasWhole || view.to === 1) view = { from: 0, to: Math.max(1, data.elapsedMs) }
    drawTexts()
    drawSlowest()
    drawCharts(false)
  }

  const again = () => drawCharts(true)
  addEventListener('resize', again)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again)
  const { dataset } = document.documentElement
  addEventListener('beforeprint', () => {
    dataset.print = ''
    document.body.style.width = '680px'
    again()
  })
  addEventListener('afterprint', () => {
    delete dataset.print
    document.body.style.width = ''
    again()
  })
  window.xfer = { draw }
  draw(data)
})()
