'use strict'

const { messages } = require('./messages')
const { SENTINEL } = require('./runtime/sentinel')

/** How many lines of a container are buffered; beyond that the oldest are dropped. */
const MAX_LINES = 100_000

/**
 * @param {'stdout' | 'stderr'} stream
 * @param {string} text
 * @returns {string} `%-30s stdout: text`, as upstream's DockerToActivationLogStore.scala stores it
 */
function logLine(stream, text) {
  const time = new Date().toISOString().replace('Z', '000000Z')
  return `${time.padEnd(30)} ${stream}: ${text}`
}

/**
 * Collects the log lines of each activation from a container's two streams. An activation ends with a sentinel on both.
 *
 * @param {{ stdout: import('node:stream').Readable, stderr: import('node:stream').Readable, waitMs: number }} streams waitMs: how long to
 *   wait for sentinels, which the action may have suppressed; upstream: DockerContainer.scala
 */
function createLogCollector({ stdout, stderr, waitMs }) {
  /** @type {string[]} */
  let lines = []
  let sentinels = 0
  let open = 2
  /** @type {(() => void) | undefined} */
  let changed

  /** @param {'stdout' | 'stderr'} name @param {string} text */
  function take(name, text) {
    const ended = text.endsWith(SENTINEL)
    const own = ended ? text.slice(0, -SENTINEL.length) : text
    if (own || !ended) lines.push(logLine(name, own))
    if (lines.length > MAX_LINES) lines.shift()
    if (!ended) return
    sentinels += 1
    changed?.()
  }

  /** @param {'stdout' | 'stderr'} name @param {import('node:stream').Readable} stream */
  function follow(name, stream) {
    let rest = ''
    stream.setEncoding('utf8')
    stream.on('data', chunk => {
      const parts = (rest + chunk).split('\n')
      rest = /** @type {string} */ (parts.pop())
      for (const part of parts) take(name, part)
    })
    stream.on('error', () => {})
    stream.on('close', () => {
      if (rest) take(name, rest)
      open -= 1
      changed?.()
    })
  }
  follow('stdout', stdout)
  follow('stderr', stderr)

  /** @returns {Promise<boolean>} whether both sentinels came */
  function ended() {
    return new Promise(resolve => {
      const finish = () => {
        clearTimeout(timer)
        changed = undefined
        resolve(sentinels >= 2)
      }
      const timer = setTimeout(finish, waitMs)
      changed = () => {
        if (sentinels >= 2 || open === 0) finish()
      }
      changed()
    })
  }

  return {
    /**
     * @param {number} maxBytes the rest is cut, and a line says so
     * @returns {Promise<{ lines: string[], complete: boolean }>}
     */
    async take(maxBytes) {
      const complete = await ended()
      const taken = lines
      lines = []
      sentinels = 0
      return { lines: limitLines(taken, maxBytes), complete }
    },
  }
}

/**
 * @param {string[]} lines
 * @param {number} maxBytes
 */
function limitLines(lines, maxBytes) {
  let bytes = 0
  const over = lines.findIndex(line => {
    bytes += Buffer.byteLength(line)
    return bytes > maxBytes
  })
  return over < 0 ? lines : [...lines.slice(0, over), logLine('stderr', messages.logsTruncated(maxBytes))]
}

module.exports = { createLogCollector, logLine }
