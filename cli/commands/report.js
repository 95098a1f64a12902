'use strict'

/** `xfer report`: the page of a job, made of the events that `--json` printed. */

const { createReadStream, writeFileSync } = require('node:fs')
const { createInterface } = require('node:readline')
const lib = require('../../lib')
const { createCollector } = require('../report/collector')
const { pageOf } = require('../report/page')

const ADVICE = 'Give what a copy printed with --json.'

/** @param {string} path `-`: standard input @param {string} text @param {string} [advice] @param {unknown} [cause] */
function mistake(path, text, advice = ADVICE, cause) {
  return new lib.XferError('USAGE', { text: `${path === '-' ? 'Standard input' : path} ${text}`, advice }, { cause })
}

/** @param {string} line @returns {any} undefined: it is no event */
function eventOf(line) {
  try {
    const event = JSON.parse(line.replace(/^\ufeff/, ''))
    return typeof event?.type === 'string' && !Number.isNaN(Date.parse(event.time)) ? event : undefined
  } catch {
    return undefined
  }
}

/** @param {NodeJS.ReadableStream} stream @param {string} path @param {AbortSignal} signal */
async function collect(stream, path, signal) {
  const { onEvent, data } = createCollector()
  let number = 0
  /** A line that is no event. The last one may have been cut off when the job was killed. */
  let bad = 0
  try {
    for await (const line of createInterface({ input: stream, signal })) {
      number++
      if (bad > 0) throw mistake(path, `has no event in line ${bad}.`)
      if (line.trim() === '') continue
      const event = eventOf(line)
      if (event) onEvent(event)
      else bad = number
    }
    signal.throwIfAborted()
    const made = data()
    if (Number.isNaN(made.startMs)) throw mistake(path, 'has no events.')
    return made
  } catch (/** @type {any} */ cause) {
    if (cause instanceof lib.XferError) throw cause
    if (cause.syscall)
      throw mistake(path, `cannot be read (${cause.code}).`, 'Name a file of events, or - for standard input.', cause)
    throw mistake(path, `has in line ${number} an event of another program, or of another version.`, ADVICE, cause)
  }
}

/** @type {import('../run').Definition} */
module.exports = {
  what: 'report',
  async work({ process, flags: { output }, signal }, path) {
    const data = await collect(path === '-' ? process.input() : createReadStream(path), path, signal)
    const page = pageOf(data)
    if (output === undefined) return void process.out.write(page)
    try {
      writeFileSync(output, page)
    } catch (/** @type {any} */ cause) {
      throw mistake(output, `cannot be written (${cause.code}).`, 'Name a file in a folder that is there.', cause)
    }
  },
}
