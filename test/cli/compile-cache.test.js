'use strict'

const { existsSync, mkdtempSync, readdirSync, rmSync } = require('node:fs')
const module_ = require('node:module')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { runXfer } = require('../support/run-xfer')

const can = 'enableCompileCache' in module_

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-test-compile-cache-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** @param {Record<string, string>} env */
const version = async env => {
  const { status, stderr } = await runXfer(['--version'], {
    env: { NODE_DISABLE_COMPILE_CACHE: undefined, HOME: folder, ...env },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
}

test('what was compiled is kept where the user keeps caches, if Node.js can', async () => {
  await version({})
  expect(existsSync(join(folder, '.cache', 'xfer', 'compiled'))).toBe(can)
  await version({ XDG_CACHE_HOME: join(folder, 'other') })
  expect(existsSync(join(folder, 'other', 'xfer', 'compiled'))).toBe(can)
})

test.each([
  ['where the user wants none', { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ['where there is no home', { HOME: '' }],
  ['in a folder that is relative', { HOME: '', XDG_CACHE_HOME: 'relative' }],
])('nothing is kept %s', async (_, env) => {
  await version(env)
  expect(readdirSync(folder)).toEqual([])
  expect(existsSync('relative')).toBe(false)
})

test('a folder that cannot be made is no hindrance', async () => {
  await version({ HOME: '/dev/null' })
})
