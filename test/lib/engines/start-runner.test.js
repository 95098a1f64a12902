'use strict'

/** Which runner is found, and how often it is called. */

const mockEngines = []
jest.mock('../../../lib/engines/registry', () => ({ ENGINES: mockEngines }))

const { callAll, findRunner, openRunner, startRunner } = require('../../../lib/engines/start-runner')

/** Calls of all runners. @type {any[]} */
const calls = []
const CALL = { state: 's3://state/', job: 'j' }

/** An engine whose variable says where its platform is; `NAME+` has a runner. @param {string} name */
const engine = name => ({
  name,
  async configured({ apihost }, env, asked) {
    if (env[name] === 'wrong') throw new Error('wrong settings')
    return env[name] || (asked && apihost) || undefined
  },
  missing: () => new Error(`no ${name}`),
  runner: {
    open: where => ({
      where: where.replace('+', ''),
      deployed: async () => (where.endsWith('+') ? { provider: name } : undefined),
      start: async call => {
        calls.push(call)
        if (calls.length <= mockRefused) throw new Error(`refused ${calls.length}`)
      },
    }),
  },
})
let mockRefused
beforeEach(() => {
  mockEngines.splice(0, 9, engine('red'), { name: 'plain', configured: () => 'x' }, engine('blue'))
  calls.length = 0
  mockRefused = 0
})

test.each([
  ['auto', {}, undefined, undefined],
  ['auto', { red: 'r+', blue: 'b+' }, undefined, 'red'],
  ['auto', { red: 'r', blue: 'b+' }, undefined, 'blue'],
  ['auto', { red: 'r', blue: 'b' }, undefined, undefined],
  ['blue', { red: 'r+', blue: 'b+' }, undefined, 'blue'],
  ['blue', { red: 'r+' }, undefined, undefined],
  ['plain', { red: 'r+' }, undefined, 'red'],
  ['auto', {}, 'h+', undefined],
  ['blue', {}, 'h+', 'blue'],
])('--engine %s with %j, --apihost %s, has the runner of %s', async (name, env, apihost, found) => {
  const runner = await findRunner(name, { env, apihost })
  expect([runner?.engine, runner?.provider]).toEqual([found, found])
})

test.each([
  ['a platform that is not configured', 'red', {}, 'no red'],
  ['an engine that has none', 'plain', {}, expect.stringContaining('runner')],
  ['wrong settings', 'red', { red: 'wrong' }, 'wrong settings'],
])('no runner is opened on %s', async (_, name, env, message) => {
  await expect(openRunner(name, { env })).rejects.toMatchObject({ message })
})

test('a runner is called on the platform alone on which it was deployed', async () => {
  const place = { env: { red: 'r+' }, count: 2 }
  await expect(startRunner({ engine: 'red', where: 'other' }, CALL, place)).rejects.toMatchObject({ code: 'USAGE' })
  expect(calls).toEqual([])
  await startRunner({ engine: 'red', where: 'r' }, CALL, place)
  expect(calls).toEqual([CALL, CALL])
})

test.each([
  [0, 0, 1, undefined],
  [3, 0, 3, undefined],
  [99, 0, 16, undefined],
  [3, 2, 3, undefined],
  [3, 3, 3, 'refused 1'],
])('for %i ranges, of which %i are refused at first, there are %i calls: %s', async (count, refused, made, why) => {
  mockRefused = refused
  const runner = await openRunner('red', { env: { red: 'r' } })
  const called = callAll(runner, /** @type {any} */ (CALL), count)
  if (why) await expect(called).rejects.toThrow(why)
  else await called
  expect(calls).toHaveLength(made)
})
