'use strict'

/** What `npm run sandbox` tells one to type does what it seems to. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { mkdtemp, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { putRandom, sha256Of } = require('../../sandbox/objects')
const { runShell } = require('../support/run-shell')
const { bareEnv } = require('../support/run-xfer')

const ROOT = join(__dirname, '..', '..')

/** @param {string[]} lines for a shell @param {Record<string, string>} env */
const type = (lines, env) => runShell(lines.join('\n'), { env, cwd: ROOT, set: ['-e'] })

test('deploys and copies, with the profiles and variables that are printed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'xfer-suggestions-'))
  const sandbox = spawn(process.execPath, [join(ROOT, 'sandbox', 'index.js')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(sandbox, 'exit')
  try {
    let text = ''
    for await (const chunk of sandbox.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      text += chunk
      if (text.includes('Ctrl-C stops')) break
    }
    const config = text.slice(text.indexOf('[profile'), text.indexOf('Both stores'))
    await writeFile(join(dir, 'config'), config)
    const lines = text.split('\n').filter(line => /^ {2}(export|node) /.test(line))
    expect(lines.map(line => line.trim().split(' ')[0])).toEqual(['export', 'node', 'node'])

    const value = name => [...config.matchAll(new RegExp(`${name} = (.*)`, 'g'))].map(match => match[1])
    const [source, destination] = value('endpoint_url').map((endpoint, i) => ({
      endpoint,
      accessKeyId: value('aws_access_key_id')[i],
      secretAccessKey: value('aws_secret_access_key')[i],
      region: value('region')[i],
    }))
    const sum = await putRandom(source, { bucket: 'sandbox', key: 'file', bytes: 10_000 })
    const PATH = `${join(process.execPath, '..')}:${process.env.PATH}`
    const typed = await type(lines, { ...bareEnv, PATH, AWS_CONFIG_FILE: join(dir, 'config') })
    expect({ status: typed.status, output: typed.output }).toEqual({ status: 0, output: typed.output })
    expect(typed.output).toContain('Created xfer/copy-range')
    expect(typed.output).toContain('Engine openwhisk')
    expect(await sha256Of(destination, { bucket: 'sandbox', key: 'file' })).toBe(sum)
  } finally {
    sandbox.kill('SIGTERM')
    await exited
    await rm(dir, { recursive: true })
  }
})
