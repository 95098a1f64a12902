'use strict'

const { VERSION } = require('../../../actions/copy-range')
const { createServerEngine } = require('../../../lib/engines')
const { toOutcomes, toParameters } = require('../../../lib/engines/common')

const facts = { action: 'xfer/copy-range', where: 'https://ow.example' }
const [READ, WRITE] = [{ statuses: [200] }, { statuses: [201] }]
const request = { method: 'GET', url: 'http://store/', headers: {} }
const both = { read: { ...request, accepts: READ }, write: { ...request, accepts: WRITE } }
const tasks = [10, 5].map((bytes, i) => ({ partNumber: i + 1, bytes, sums: ['crc32'], ...both }))
/** As the tasks go to the action. */
const rules = { read: { ...request, accepts: 'rule-1' }, write: { ...request, accepts: 'rule-2' } }
const named = tasks.map(task => ({ ...task, ...rules }))
const WRITTEN = { etag: '"e"', sums: { crc32: '00000007' } }
const done = (partNumber, bytes, more = {}) => ({ partNumber, bytes, ...WRITTEN, ...more })
const failed = partNumber => ({ partNumber, error: { code: 'STALLED', message: 'Nothing moved.' } })
const good = [done(1, 10), done(2, 5)]
const result = outcomes => ({ version: VERSION, outcomes, container: { id: 'c' } })

test('parameters say each rule of the requests once, and the tasks stay as they are', () => {
  const before = structuredClone(tasks)
  const other = { statuses: [204] }
  const { write, ...reads } = tasks[0]
  const { accepts: all, tasks: sent } = toParameters([...tasks, { ...reads, read: { ...request, accepts: other } }])
  expect(all).toEqual({ 'rule-1': READ, 'rule-2': WRITE, 'rule-3': other })
  expect([sent[2], tasks]).toEqual([{ ...reads, read: { ...request, accepts: 'rule-3' } }, before])
})

test('the tag of a task is not sent, and is the ETag of what was written', () => {
  const tagged = [{ ...tasks[0], tag: 'block-1' }, tasks[1]]
  expect(toParameters(tagged).tasks).toEqual(named)
  expect(toOutcomes(result(good), tagged, facts)).toEqual([done(1, 10, { etag: 'block-1' }), done(2, 5)])
  expect(toOutcomes(result([failed(1), failed(2)]), tagged, facts)).toEqual([failed(1), failed(2)])
})

test.each([
  ['one failed', [done(1, 10), failed(2)]],
  ['every sum', [done(1, 10, { sums: { crc32: 'ffffffff', md5: '0'.repeat(32) } }), done(2, 5)]],
])('a result that answers the tasks is believed: %s', (_, outcomes) => {
  expect(toOutcomes(result(outcomes), tasks, facts)).toEqual(outcomes)
})

test.each([
  ['a text', 'ok'],
  ['no version', { outcomes: good }],
  ['a newer version', { ...result(good), version: VERSION + 1 }],
  ['too few', result([done(1, 10)])],
  ['another order', result([done(2, 5), done(1, 10)])],
  ['one twice', result([done(1, 10), done(1, 10)])],
  ['too few bytes', result([done(1, 9), done(2, 5)])],
  ['no ETag', result([done(1, 10, { etag: undefined }), done(2, 5)])],
  ['another sum', result([done(1, 10, { sums: { md5: '0'.repeat(32) } }), done(2, 5)])],
  ['a failure without a code', result([done(1, 10), { partNumber: 2, error: { message: 'x' } }])],
])('a result that does not is the action of another version %s', (_, answer) => {
  const refused = { code: 'ACTION_VERSION', exitCode: 5, facts: expect.objectContaining(facts) }
  expect(() => toOutcomes(answer, tasks, facts)).toThrow(expect.objectContaining(refused))
})

test('the engine of a store that copies by itself rejects when it is aborted', async () => {
  const abort = new AbortController()
  const part = (_, { signal }) => {
    queueMicrotask(() => abort.abort())
    return new Promise((_, reject) => signal.addEventListener('abort', reject))
  }
  const engine = createServerEngine({ part }, 'http://store')
  const task = { partNumber: 1, bytes: 1, copy: { part: {} } }
  for (const tasks of [[task], []]) {
    await expect(engine.run(tasks, { signal: abort.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  }
})
