'use strict'

const { listenTo } = require('../../cli/run')

const heard = jest.fn()
let stop
let nowMs = 0
beforeEach(() => {
  stop = listenTo(heard, undefined, () => nowMs)
})
afterEach(() => {
  stop()
  heard.mockReset()
})
const send = (/** @type {any} */ name) => process.emit(name, name)

const SIGNALS = [...['SIGINT', 'SIGTERM', 'SIGHUP'].map(name => [name, name, 1]), ['SIGTERM', 'SIGINT', 2]]
test.each(SIGNALS)('%s, and %s at once, count as %i', (first, second, times) => {
  send(first)
  send(second)
  expect(heard).toHaveBeenCalledTimes(times)
})

test('a second Ctrl-C counts, and not a second SIGTERM, after a tenth of a second', () => {
  for (const name of ['SIGINT', 'SIGTERM']) send(name)
  nowMs += 100
  for (const name of ['SIGINT', 'SIGTERM']) send(name)
  expect(heard).toHaveBeenCalledTimes(3)
  nowMs += 1000
  send('SIGTERM')
  expect(heard).toHaveBeenCalledTimes(4)
})

test('none is heard after the end', () => {
  stop()
  const others = process.listenerCount('SIGTERM')
  const again = listenTo(heard)
  expect(process.listenerCount('SIGTERM')).toBe(others + 1)
  again()
  expect(process.listenerCount('SIGTERM')).toBe(others)
})
