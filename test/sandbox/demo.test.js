'use strict'

/** `npm run demo`, as somebody types it, with a small object. */

const { execFile } = require('node:child_process')
const { join } = require('node:path')

const DEMO = join(__dirname, '..', '..', 'sandbox', 'demo.js')

/** @param {string[]} args @returns {Promise<{ status: number, stdout: string }>} */
function runDemo(args) {
  return new Promise(resolve => {
    execFile(process.execPath, [DEMO, ...args], (error, stdout) => {
      resolve({ status: error ? Number(error.code) : 0, stdout })
    })
  })
}

test.each(['openwhisk', 'lambda', 'http'])('copies an object by the engine %s, and proves it', async engine => {
  const { status, stdout } = await runDemo(['--size', '8MiB', '--engine', engine])
  expect(status).toBe(0)
  expect(stdout).toContain(`--engine ${engine}`)
  const sums = [...stdout.matchAll(/^SHA-256 in \w+ +(\w{64})$/gm)].map(([, sum]) => sum)
  expect(sums).toHaveLength(2)
  expect(sums[0]).toBe(sums[1])
})
