'use strict'

/** What the page writes, where no browser is: its scripts with a document that has no more than they use, and no charts. */

const vm = require('node:vm')
const { createCollector } = require('../../../cli/report/collector')
const { pageOf } = require('../../../cli/report/page')

const START_MS = Date.parse('2026-03-04T05:06:07.000Z')

function createElement(tag) {
  const element = {
    ...{ tag, children: [], style: { setProperty() {} }, dataset: {}, clientWidth: 390, hidden: false },
    append: (...more) => void element.children.push(...more),
    replaceChildren(...more) {
      element.children = more
    },
    closest: () => element.section,
    get textContent() {
      return element.children.map(child => child.textContent ?? child).join('')
    },
    set textContent(text) {
      element.children = [text]
    },
    get firstElementChild() {
      return createElement('div')
    },
  }
  return element
}

/** Draws a page. @param {Array<[afterMs: number, event: object]>} events @returns {(id: string) => any} its elements */
function draw(events) {
  const { onEvent, data } = createCollector()
  for (const [afterMs, event] of events) onEvent({ ...event, time: new Date(START_MS + afterMs).toISOString() })
  const page = pageOf(data())
  const [, json] = /id="data">(.*?)<\/script>/s.exec(page)
  const script = page.slice(page.lastIndexOf('<script>') + 8, page.lastIndexOf('</script>'))
  const elements = {}
  const byId = id => (elements[id] ??= Object.assign(createElement('div'), { section: createElement('section') }))
  byId('data').textContent = json
  const root = createElement('html')
  const document = {
    ...{ createElement, getElementById: byId, documentElement: root, body: { append() {}, appendChild: one => one } },
    querySelector: () => root,
  }
  function uPlot(how, data) {
    const calls = { destroy() {}, setData() {}, setScale() {} }
    Object.assign(this, { ...how, data, ctx: { canvas: {} }, scales: {}, ...calls })
  }
  uPlot.paths = { bars() {} }
  const window = { document, matchMedia: () => ({ addEventListener() {} }), addEventListener() {}, devicePixelRatio: 1 }
  const own = script.slice(script.indexOf('const format ='))
  vm.runInNewContext(own, { ...window, window, uPlot, getComputedStyle: () => ({}), Date, console })
  return byId
}

/** The numbers that no line breaks. @param {any} element @returns {string[]} */
const unbroken = element =>
  (element.children ?? []).flatMap(one => (one.className === 'one' ? [one.textContent] : unbroken(one)))

const part = (partNumber, elapsedMs) => ({ type: 'part', partNumber, bytes: 5e6, attempt: 1, elapsedMs })
const hint = 'What was copied is kept; go on with: xfer resume j-1'
const error = { type: 'error', code: 'STALLED', exitCode: 1, message: 'It stalled for 926 ms.', job: 'j-1', hint }

test('numbers stay with their units, and quantiles are times', () => {
  const at = draw([
    [0, { type: 'plan', source: 's3://a/b', destination: 's3://c/d', notices: [], parts: 3, partBytes: 5e6 }],
    [1_000, part(1, 926)],
    [1_000, part(2, 926)],
    [14_000, part(3, 14_000)],
  ])
  expect(at('times-hint').textContent).toMatch(
    /^50 % of the parts took up to 926 ms, .*99 % of the parts took up to 14\.0 s\.$/,
  )
  expect(unbroken(at('times-hint'))).toEqual(['50 %', '926 ms', '95 %', '14.0 s', '99 %', '14.0 s'])
  expect(at('go-on').hidden).toBe(true)
})

test('a failure shows the command to go on by itself, and its reason', () => {
  const at = draw([
    [0, { type: 'plan', source: 's3://a/b', destination: 's3://c/d', notices: [] }],
    [50, error],
  ])
  const shown = [at('title').textContent, at('go-on').hidden, at('command').textContent]
  expect(shown).toEqual(['Failed', false, 'xfer resume j-1'])
  expect(at('lines').children[0].textContent).toBe('It stalled for 926 ms.')
  expect(at('lines').textContent).not.toContain('xfer resume')
})

test('what runs shows how far it is', () => {
  const underWay = [{ partNumber: 1, bytes: 5e6, bytesDone: 1e6, forMs: 700 }]
  const done = { bytesDone: 1e6, bytesTotal: 4e6, partsDone: 0, partsTotal: 4, bytesPerSecond: 1e6 }
  const at = draw([
    [0, { type: 'plan', notices: [], concurrency: 4 }],
    [900, { type: 'progress', phase: 'copying', ...done, inFlight: 1, underWay }],
  ])
  expect([at('done').hidden, at('done').value]).toEqual([false, 0.25])
  expect(at('figures').textContent).toContain('Done25 %')
  expect(at('waterfall-hint').textContent).toBe('under way')
})

test('small objects are told a second by their number', () => {
  const object = name => ({ type: 'object', action: 'copy', name, bytes: 100, elapsedMs: 50 })
  const at = draw([
    [0, { type: 'plan', recursive: 'copy', notices: [] }],
    [500, object('a')],
    [1_000, object('b')],
  ])
  expect(at('rate-hint').textContent).toContain('objects a second')
  expect(at('slowest').textContent).not.toContain('Rate')
})
