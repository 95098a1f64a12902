'use strict'

const lib = require('../../lib')
const { formatBytes, formatCount } = require('../format')
const { checkFound, createLines } = require('../lines')

/** @param {{ bytes: number, objects: number }} counted @param {string} name @param {{ human?: boolean }} how */
function lineOf({ bytes, objects }, name, { human }) {
  const [size, count] = human ? [formatBytes(bytes), formatCount(objects)] : [bytes, objects].map(String)
  return `${size.padStart(15)} ${count.padStart(10)} ${name}`
}

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'add up bytes and objects',
  description: 'Adds up the bytes and the objects below a location, by prefix of one level.',
  places: [['<LOCATION>', '{a place[/prefix]}']],
  what: 'count',
  async work({ process, flags, options, signal: interrupted, onEvent }, location) {
    const lines = createLines(process.out, flags)
    // Nobody reads any more, as behind `| head`.
    const unread = new AbortController()
    const signal = AbortSignal.any([interrupted, unread.signal])
    /** @param {import('../../lib/types').PrefixUsage} prefix */
    const onPrefix = async prefix => {
      if (!(await lines.print({ type: 'prefix', ...prefix }, lineOf(prefix, prefix.name, flags)))) unread.abort()
    }
    const asked = { ...options, signal, onEvent, ...(!flags.summarize && { onPrefix }) }
    const total = await lib.usage(location, asked).catch(error => {
      if (!unread.signal.aborted || interrupted.aborted) throw error
    })
    if (!total) return
    if (total.objects === 0) checkFound(location)
    const event = { type: 'done', ...total, time: new Date().toISOString() }
    await lines.print(event, lineOf(total, total.location, flags))
    await lines.end()
  },
}
