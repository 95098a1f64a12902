'use strict'

/**
 * The commands that a page shows, with what it says that they print. A command is an indented line `$ COMMAND` or
 * `export …`. What follows, up to the next command or the end of the block, is its output.
 */

/**
 * @typedef {object} Shown
 * @property {string} typed the command
 * @property {string[]} output the lines below it
 * @property {number} from the number of the first of these lines in the page, from 0
 * @property {boolean} interrupted a line `^C` follows
 */

const INDENT = '    '

/** @param {string} page @returns {Shown[]} */
function shownIn(page) {
  /** @type {Shown[]} */
  const shown = []
  /** @type {Shown | undefined} */
  let open
  for (const [index, line] of page.split('\n').entries()) {
    const isIndented = line.startsWith(INDENT)
    const text = isIndented ? line.slice(INDENT.length) : line
    const typed = isIndented && text.match(/^\$ (.*)|^(export .*)/)
    if (typed) {
      open = { typed: typed[1] ?? typed[2], output: [], from: index + 1, interrupted: false }
      shown.push(open)
    } else if (open && (isIndented || line === '')) {
      open.interrupted ||= text.startsWith('^C')
      open.output.push(text)
    } else open = undefined
  }
  for (const { output } of shown) while (output.at(-1) === '') output.pop()
  return shown
}

const JOB_ID = /\d{8}T\d{6}Z-[a-z0-9]+/g

/** What differs from run to run, in place of which a word stands. @type {Array<[RegExp, string]>} */
const VARYING = [
  [/\^C/g, ''],
  [/127\.0\.0\.1:\d+/g, 'HOST'],
  [JOB_ID, 'JOB'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\d{4}-\d\d-\d\d, \d+ days ago/g, 'DAYS AGO'],
  [/at least (a|\d+) containers? works?/g, 'CONTAINERS'],
  [/\d[\d.,]* (ms|s|min|h)\b( \d+ (s|min))?/g, 'DURATION'],
  [/\d[\d.,]* ([KMG]iB|B)\/s/g, 'RATE'],
  [/"[0-9a-f]{32}(-\d+)?"|"0x[0-9A-F]{14,16}"/g, 'ETAG'],
  [/CRC-32 [\w+/]{6}==/g, 'CRC-32'],
  [/Node\.js [\d.]+/g, 'Node.js'],
  [/ {2}[\w-]{43}$/g, '  UPLOAD'],
  [/xfer-doctor-[0-9a-f]+/g, 'UPLOAD'],
  [/\d+ threads?/g, 'THREADS'],
  [/\d+ at once/g, 'AT ONCE'],
  [/\d+ of (\d+) parts(, \S+ \w+ of)?/g, 'SOME of $1 parts'],
  [/\d+ parts? (with|of) \S+ \w+/g, 'SOME parts'],
  [/\d+ parts? of \S+ \w+ in all/g, 'SOME parts in all'],
  [/Copied \S+ \w+ \(\S+ \w+ were there already\)/g, 'Copied SOME'],
]

/** @param {string} line */
const lasting = line => VARYING.reduce((text, [varying, word]) => text.replace(varying, word), line.trimEnd())

/**
 * Returns the lines that a page shows and that the command did not print. A line `…` stands for any lines.
 *
 * @param {Shown} shown
 * @param {string} output
 */
function notPrinted(shown, output) {
  const printed = new Set(output.split('\n').map(lasting))
  return shown.output.filter(line => !['…', ''].includes(line.trim()) && !printed.has(lasting(line)))
}

/** A line that is there only if a command takes its time. @param {string} line */
const isProgress = line => / {2}elapsed \d/.test(line)

/**
 * The page with what the commands print now, if anything of it is no longer printed: a page is begun with `?` where an
 * output is to come. Below a command without output there comes none, and what is shortened with `…` stays as it is.
 *
 * @param {string} page
 * @param {Array<{ shown: Shown, typed: string, output: string }>} runs typed: what was really typed
 */
function withOutputs(page, runs) {
  if (runs.every(({ shown, output }) => notPrinted(shown, output).length === 0)) return page
  const lines = page.split('\n')
  for (const { shown, typed, output } of [...runs].reverse()) {
    if (shown.output.length === 0 || shown.output.includes('…')) continue
    const printed = output.trimEnd().split('\n')
    const text = printed
      .filter(line => !isProgress(line))
      .map(line => (line.startsWith('xfer: stopping') ? `^C${line}` : line))
    const made = [`$ ${typed}`, ...text].map(line => `${INDENT}${line}`.trimEnd())
    lines.splice(shown.from - 1, 1 + shown.output.length, ...made)
  }
  return lines.join('\n')
}

module.exports = { shownIn, notPrinted, withOutputs, JOB_ID }
