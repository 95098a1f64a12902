'use strict'

const { spawnSync } = require('node:child_process')

/** Calls the wrapped listener with the events, in a process of its own: options of V8 hold for the whole process. @param {object[]} events */
function tidy(events) {
  const script = `const { tidying } = require('./cli/tidy')
const listener = tidying(event => console.log(event.type))
for (const event of ${JSON.stringify(events)}) listener(event)`
  return spawnSync(process.execPath, ['-e', script], { cwd: `${__dirname}/../..`, encoding: 'utf8' })
}

test.each([{}, { recursive: true }])('this V8 knows all options, and no event is lost (%j)', kind => {
  const { status, stdout, stderr } = tidy([{ type: 'start', ...kind }, { type: 'progress' }, { type: 'progress' }])
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'start\nprogress\nprogress\n', stderr: '' })
})
