'use strict'

/** @param {import('node:stream').Readable | null} stream null: it went elsewhere @returns {() => string} what it has given so far */
function gathered(stream) {
  let text = ''
  stream?.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  return () => text
}

/**
 * Gathers what a process prints, and kills it when its time is up.
 *
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {number} boundMs
 * @returns {Promise<{ status: number | null, signal: string | null, late: boolean, stdout: string, stderr: string }>} late: it
 *   was killed
 */
async function endOf(child, boundMs) {
  const [stdout, stderr] = [gathered(child.stdout), gathered(child.stderr)]
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, boundMs)
  const [status, signal] = await new Promise(resolve => child.on('close', (...how) => resolve(how)))
  clearTimeout(timer)
  return { status, signal, late, stdout: stdout(), stderr: stderr() }
}

module.exports = { endOf, gathered }
