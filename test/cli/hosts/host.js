'use strict'

/** A process that runs one command of the program after another, each with its own arguments, environment and streams. */

const { Writable } = require('node:stream')
const { main } = require('../../../cli/main')

function createSink() {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}

/** @param {Record<string, string>} env */
function changeEnvironment(env) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
}

process.on('message', (/** @type {{ args: string[], env: Record<string, string> }} */ { args, env }) => {
  changeEnvironment(env)
  const [out, err] = [createSink(), createSink()]
  let ended = false
  /** @param {number} status */
  function end(status) {
    // A process ends but once.
    if (ended) return
    ended = true
    process.send?.({ status, stdout: out.text(), stderr: err.text() })
  }
  main(args, { out: out.stream, err: /** @type {any} */ (err.stream), env: process.env, end, leave: end })
})
