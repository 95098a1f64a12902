'use strict'

const { chooseEngine, findEngines, findFactory } = require('../../../lib/engines')
const local = require('../../../lib/engines/local')
const http = require('../../../lib/engines/http')

/** An engine that can deploy, with two options of its own. @param {string} name */
function deployable(name) {
  const commands = ['deploy', 'doctor']
  const row = (option, commands) => ({ name: option, value: 'text', help: option, group: 'deployment', commands })
  return {
    ...http,
    name,
    words: { engine: name, platform: { name, configured: `by the variable ${name}`, deployNote: '' } },
    options: [row('host', commands), row(`of${name}`, commands), row('onlyCopied', ['copy'])],
    configured(options, env) {
      if (env[name] === 'wrong') throw new Error('the settings are wrong')
      return env[name] && { where: env[name], reach: 'network', from: 'the environment' }
    },
    open: ({ where, reach }) => ({ name, where, reach, close: async () => {} }),
    deploy: async () => ({}),
    checks: () => ({}),
  }
}

const [RED, BLUE] = ['Red', 'Blue'].map(deployable)
const REGISTRY = [RED, BLUE, local]

/** The name of the engine for a command. */
const found = async (command, options, env, registry = REGISTRY) =>
  (await findFactory(command, options, env, registry)).name

describe.each([['deploy'], ['doctor']])('among two engines with platforms, xfer %s', command => {
  it.each([
    ['the only one that is configured', {}, { Blue: 'b' }, 'Blue'],
    ['the first one, if both are configured', {}, { Red: 'r', Blue: 'b' }, 'Red'],
    ['one with wrong settings, to report them', {}, { Blue: 'wrong' }, 'Blue'],
    ['the one that has the given option, though the other is configured', { ofBlue: '1' }, { Red: 'r' }, 'Blue'],
    ['the named one, though only another one is configured', { engine: 'Blue', ofBlue: '1' }, { Red: 'r' }, 'Blue'],
    ['the first one for options that are not given', { ofBlue: undefined }, { Red: 'r' }, 'Red'],
    ['the first one for options of other commands', { onlyCopied: '1', env: {} }, { Red: 'r' }, 'Red'],
  ])('takes %s', async (_, options, env, name) => expect(await found(command, options, env)).toBe(name))

  it('refuses options that no single one has, or the named one has not', async () => {
    await expect(found(command, { ofRed: '1', ofBlue: '2', host: 'h' }, { Red: 'r' })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'No platform has all of these options: ofRed, ofBlue, host.',
      hint: 'Give those of one platform: Red has ofRed, host; Blue has ofBlue, host.',
    })
    const message = 'The engine Blue does not have these options: ofRed.'
    const named = found(command, { engine: 'Blue', ofRed: '1', host: 'h' }, { Blue: 'b' })
    await expect(named).rejects.toMatchObject({ code: 'USAGE', message })
  })
})

it.each([[REGISTRY], [[local, BLUE]]])(
  'xfer deploy refuses the engine of this machine, xfer doctor checks it',
  async registry => {
    const message = 'The engine local has nothing that xfer deploy could deploy.'
    const hint = expect.stringMatching(/^Copy with it as it is, or name one of these: (Red, )?Blue/)
    const refused = found('deploy', { engine: 'local' }, { Blue: 'b' }, registry)
    await expect(refused).rejects.toMatchObject({ code: 'USAGE', message, hint })
    expect(await found('doctor', { engine: 'local' }, { Blue: 'b' }, registry)).toBe('local')
  },
)

it('xfer deploy does not guess if none is configured, and names them all', async () => {
  const message = 'No platform is configured, and deploy needs one: neither Red nor Blue.'
  const hint = 'Configure one of them: Red by the variable Red; Blue by the variable Blue.'
  await expect(found('deploy', {}, {})).rejects.toMatchObject({ code: 'NO_PLATFORM', exitCode: 5, message, hint })
})

it('xfer deploy says what to do instead for an engine that has nothing to deploy', async () => {
  const message = 'The engine http has nothing that xfer deploy could deploy.'
  const hint = expect.stringMatching(/^Start xfer serve on each machine/)
  const refused = findFactory('deploy', { engine: 'http' }, {})
  await expect(refused).rejects.toMatchObject({ code: 'USAGE', message, hint })
})

it('xfer doctor checks the first one if none is configured, which says so', async () => {
  expect(await found('doctor', {}, {})).toBe('Red')
})

describe('of the engines that are configured, a copy', () => {
  const there = { can: { reach: 'network' }, facts: { side: 'source' } }
  const here = { can: { reach: 'local' }, endpoint: 'http://localhost:9000', facts: { side: 'destination' } }
  const file = { can: { reach: 'process' }, facts: { side: 'destination' } }
  const keyed = { ...here, can: { secret: { name: 'key of the box', advice: 'Copy here.' } } }
  const choose = async ({ name = 'auto', env = {}, stores = [there, there] }) => {
    const found = await findEngines(name, {}, env, { factories: [RED, http, local] })
    const { engine, why } = chooseEngine(found, { name, stores })
    return [engine.name, why]
  }
  const env = { Red: 'http://red' }
  const next = { env: { ...env, XFER_WORKERS: 'http://127.0.0.1:1' }, stores: [there, here] }
  const secret = { env, stores: [there, keyed] }
  const unreached =
    'the destination http://localhost:9000 is on this machine, where functions of http://red cannot reach it'

  it.each([
    ['takes the first', { env }, 'Red', 'configured in the environment'],
    ['takes the named one', { name: 'Red', env }, 'Red', 'as asked'],
    ['takes none', {}, 'local', 'no platform is configured'],
    ['takes none that does not reach a store', { env, stores: [there, here] }, 'local', unreached],
    ['takes the next one that reaches it', next, 'http', `configured in the environment; not Red: ${unreached}`],
    ['gives no secret of the user away', secret, 'local', 'no function may have the key of the box of the destination'],
  ])('%s', async (_, wish, name, why) => expect(await choose(wish)).toEqual([name, why]))

  it.each([
    ['no files', file, 'The destination is a file or a stream of this machine, which no function can reach.'],
    ['no secret of the user', keyed, 'A key of the box was given for the destination, and no function may have it.'],
  ])('gives a named one %s', async (_, store, message) => {
    await expect(choose({ name: 'Red', env, stores: [there, store] })).rejects.toMatchObject({ code: 'USAGE', message })
  })
})
