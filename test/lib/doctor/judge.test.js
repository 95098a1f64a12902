'use strict'

/** What the doctor makes of what it finds. */

const manifest = require('../../../package.json')
const { judgeAccess } = require('../../../lib/engines/openwhisk/checks/access')
const { judgeClock, skewOf } = require('../../../lib/http/clock-difference')
const { judgeNode, NODE } = require('../../../lib/doctor/machine')
const { describeLimits, judgeAction } = require('../../../lib/engines/openwhisk/checks')
const { judgeHosts, judgeProbe } = require('../../../lib/doctor/reach')
const { wantedActions } = require('../../../lib/engines/openwhisk/deploy')
const { toCode } = require('../../../lib/engines/openwhisk/deploy/code')

describe('Node.js', () => {
  test('is as new as package.json asks for', () => expect(manifest.engines.node).toBe(`>=${NODE}`))

  test.each([
    ['20.19.0', true],
    ['20.20.2', true],
    ['22.0.0', true],
    ['26.1.0', true],
    ['20.18.3', false],
    ['18.20.0', false],
  ])('%s will do: %p', (version, ok) => {
    const { hint, ...found } = judgeNode(version)
    expect(found).toEqual({ ok, detail: expect.stringContaining(version) })
    expect(hint === undefined).toBe(ok)
  })
})

describe('the clock', () => {
  const at = Date.UTC(2026, 10, 21, 12)
  /** Ours is `aheadMs` ahead of whom we ask, and the answer takes 100 ms. */
  const sample = (who, aheadMs) => ({ who, dateMs: at, sentMs: at + 450 + aheadMs, receivedMs: at + 550 + aheadMs })

  test('is compared with the middle of the question and of the second that is told', () => {
    expect(skewOf(sample('a', 0))).toBe(0)
    expect(skewOf(sample('a', -3000))).toBe(-3000)
  })

  test.each([
    [[0], true, undefined, 'in step with who0'],
    [[1500, -1500], true, undefined, 'in step with who0 and who1'],
    [[0, 0, 0], true, undefined, 'in step with who0, who1 and who2.'],
    [[30_000], true, undefined, '30 s ahead of who0'],
    [[59_000], true, undefined, '59 s ahead'],
    [[-61_000], true, 'Set', '61 s behind who0'],
    [[0, 14 * 60_000], true, 'Set', 'in step with who0, 14 minutes ahead of who1'],
    [[15 * 60_000], false, 'Set', '15 minutes ahead'],
    [[0, -5 * 3_600_000, 0], false, 'Set', 'in step with who0 and who2, 5 hours behind who1'],
  ])('%j ms ahead', (skews, ok, hint, words) => {
    const found = judgeClock(skews.map((skewMs, i) => sample(`who${i}`, skewMs)))
    expect(found).toMatchObject({ ok, detail: expect.stringContaining(words) })
    expect(found.hint?.slice(0, 3)).toBe(hint)
  })
})

describe('the limits', () => {
  test.each([
    [
      { concurrentInvocations: 30, invocationsPerMinute: 60, maxActionMemory: 512, maxActionTimeout: 300_000 },
      'The platform allows 30 invocations at once, 60 a minute, each with up to 512 MB and up to 300 s.',
    ],
    [{ concurrentInvocations: 30 }, 'The platform allows 30 invocations at once.'],
    [{ maxActionMemory: 512 }, 'The platform allows each with up to 512 MB.'],
    [{}, 'The platform does not tell its limits: copies learn them from its refusals.'],
    [undefined, 'The platform does not tell its limits: copies learn them from its refusals.'],
  ])('%j', (limits, words) => expect(describeLimits(limits)).toBe(words))
})

describe('what functions may connect to', () => {
  const deployed = (value, final = true, more = {}) => ({
    annotations: [{ key: 'final', value: final }],
    parameters: [{ key: 'access', value, ...more }],
  })
  const ANY = { hosts: ['*'], metadata: false }

  test.each([
    [ANY, 'Functions may connect to any host, but not to link-local and metadata addresses.'],
    [{}, 'Functions may connect to any host, but not to link-local and metadata addresses.'],
    [{ hosts: [] }, 'Functions may connect to no host.'],
    [{ hosts: ['*.a.test', '10.0.0.0/8'] }, 'Functions may connect only to *.a.test, 10.0.0.0/8, but not to '],
  ])('%j is told', (access, detail) => {
    expect(judgeAccess(deployed(access))).toEqual({ ok: true, detail: expect.stringContaining(detail) })
  })
})

describe('the action', () => {
  const facts = { where: 'https://host', action: 'xfer/copy-range' }
  let wanted
  let deployed
  beforeAll(async () => {
    ;[wanted] = await wantedActions()
    deployed = {
      name: 'copy-range',
      version: '0.0.3',
      exec: { kind: 'nodejs:18', code: toCode(wanted.files) },
      limits: { memory: 512, timeout: 60_000 },
      annotations: Object.entries(wanted.annotations).map(([key, value]) => ({ key, value })),
    }
  })

  test('of this xfer is good, with whatever limits and runtime it was deployed', () => {
    const detail = 'xfer/copy-range 0.0.3 is deployed: nodejs:18, 512 MB, 60 s.'
    expect(judgeAction(deployed, wanted, facts)).toEqual({ ok: true, detail })
  })

  test('with other code is good, and worth a word', () => {
    const files = { ...wanted.files, 'index.js': Buffer.from('// other') }
    const other = { ...deployed, exec: { ...deployed.exec, code: toCode(files) } }
    expect(judgeAction(other, wanted, facts)).toEqual({
      ok: true,
      detail: "xfer/copy-range 0.0.3 is deployed: nodejs:18, 512 MB, 60 s; its code is not this xfer's.",
      hint: expect.stringContaining('xfer deploy'),
    })
  })

  test('that shares its container with other activations is good, and worth a word', () => {
    const other = { ...deployed, limits: { ...deployed.limits, concurrency: 200 } }
    expect(judgeAction(other, wanted, facts)).toEqual({
      ok: true,
      detail: "xfer/copy-range 0.0.3 is deployed: nodejs:18, 512 MB, 60 s; its concurrency is not this xfer's.",
      hint: expect.stringContaining('xfer deploy'),
    })
  })

  test('of another interface is refused', () => {
    const other = { ...deployed, annotations: [{ key: 'xfer-interface', value: 3 }] }
    expect(() => judgeAction(other, wanted, facts)).toThrow(
      expect.objectContaining({
        code: 'ACTION_VERSION',
        facts: expect.objectContaining({ reason: 'its interface version is 3, not 2' }),
      }),
    )
  })
})

describe('what functions reach', () => {
  const where = { side: 'source', origin: 'https://store.example', engine: { where: 'https://host', reach: 'network' } }

  test('is good', () => {
    expect(judgeProbe(where, { reachable: true, status: 403, elapsedMs: 12 })).toEqual({
      ok: true,
      detail: 'Functions reach the source https://store.example, which answered in 12 ms.',
    })
  })

  test.each([
    ['ENOTFOUND', 'ENOTFOUND: no such host is known'],
    ['ETIMEDOUT', 'ETIMEDOUT: no answer in time'],
    ['EODD', 'EODD'],
  ])('or not, for %s, is told with the reason', (code, why) => {
    expect(judgeProbe(where, { reachable: false, error: { code, message: 'M.' } })).toMatchObject({
      ok: false,
      detail: `Functions cannot reach the source https://store.example (${why}).`,
      hint: expect.stringContaining("platform's network"),
    })
  })

  test.each([
    ['no platform', { origin: 'http://localhost:9000', engine: undefined }],
    ['a store that is not known', { origin: undefined }],
    ['a store of the network', {}],
    [
      'both on this machine',
      { origin: 'http://localhost:9000', engine: { where: 'http://127.0.0.1:3233', reach: 'local' } },
    ],
  ])('is not told by the hosts alone with %s', (_, hosts) => {
    expect(judgeHosts({ ...where, ...hosts })).toBeUndefined()
  })
})
