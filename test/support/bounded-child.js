'use strict'

/**
 * Gathers what a process prints, and kills it when its time is up.
 *
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {number} boundMs
 * @returns {Promise<{ status: number | null, signal: string | null, late: boolean, stdout: string, stderr: string }>} late: it
 *   was killed
 */
async function endOf(child, boundMs) {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, boundMs)
  const [status, signal] = await new Promise(resolve => child.on('close', (...how) => resolve(how)))
  clearTimeout(timer)
  return { status, signal, late, stdout, stderr }
}

module.exports = { endOf }
