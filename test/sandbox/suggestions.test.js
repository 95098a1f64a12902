'use strict'

/** What `npm run sandbox` tells one to type works, in its order. */

const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { makeHome } = require('../support/home')
const { runShell } = require('../support/run-shell')
const { bareEnv } = require('../support/run-xfer')
const { startWalk } = require('../support/walk')

const ROOT = join(__dirname, '..', '..')

/** A machine that is busy with other tests. */
const LIMIT_MS = 180_000

test(
  'copies by threads and by functions, and leaves nothing',
  async () => {
    const walk = await startWalk()
    let configFile = ''
    try {
      expect(walk.typed.map(line => line.split(' ')[0])).toEqual(['export', 'node', 'node', 'export', 'node', 'node'])
      configFile = walk.typed[0].replace('export AWS_CONFIG_FILE=', '')
      expect(existsSync(configFile)).toBe(true)
      const PATH = `${join(process.execPath, '..')}:${process.env.PATH}`
      const env = { ...bareEnv, HOME: makeHome({}), PATH }
      const { status, output } = await runShell(walk.typed.join('\n'), { env, cwd: ROOT, set: ['-e'] })
      expect({ status, output }).toEqual({ status: 0, output })
      expect(output).toMatch(
        /^Engine local[\s\S]*: proved\.\n[\s\S]*Created xfer\/copy-range[\s\S]*Engine openwhisk[\s\S]*: proved\.\n/m,
      )
    } finally {
      await walk.stop()
    }
    expect(existsSync(configFile)).toBe(false)
  },
  LIMIT_MS,
)
