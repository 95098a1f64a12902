'use strict'

/** The question before many objects are deleted, as it is asked on a terminal. */

const { PassThrough } = require('node:stream')
const { confirmer } = require('../../cli/confirm')

/** A terminal on which this is typed; undefined: its input ends. */
function terminal(typed) {
  const [input, err] = [new PassThrough(), new PassThrough()].map(stream => Object.assign(stream, { isTTY: true }))
  input.end(typed === undefined ? '' : `${typed}\n`)
  return { input, err, shown: () => err.read()?.toString() ?? '' }
}

const SOME = { location: 's3://b/t/', objects: 1_200, bytes: 2 ** 20, whole: false }
const WHOLE = { ...SOME, location: 's3://b/', whole: true }

test.each([
  ['y', SOME, true],
  ['YES', SOME, true],
  ['n', SOME, false],
  ['', SOME, false],
  ['1200', SOME, false],
  [undefined, SOME, false],
  ['y', WHOLE, false],
  ['1200', WHOLE, true],
  ['1,200', WHOLE, true],
  ['1201', WHOLE, false],
])('%s to %o: %s', async (typed, found, answer) => {
  const { input, err, shown } = terminal(typed)
  expect(await confirmer({ err }, {}, [found.location], input)(found)).toBe(answer)
  expect(shown()).toContain(`This deletes 1,200 objects with 1.00 MiB below ${found.location}.\n`)
})
