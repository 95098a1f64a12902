'use strict'

/** Journals that are not a command's own: what is told and marked of them, and what one from elsewhere may bring. */

const others = require('../../../lib/job/others')
const { errorOf } = require('../../support/rigged-store')

const { idsOf, leaveFiles, markBeside, namesInDoubt, onlyOne, tellOthers, trustedOf } = /** @type {any} */ (others)
const end = (text, typed) => ({ text, ...(typed && { typed }), place: text })
const stateOf = options => ({ source: end('s3://a/x/'), destination: end('s3://b/x/'), options })

test.each([
  [{}, {}, {}, ''],
  [{ retries: 3, chunk: 5 }, {}, { retries: 3, chunk: 5 }, ''],
  [{ apihost: 'http://h', caBundle: '/c', retries: 3 }, {}, { retries: 3 }, '--apihost http://h --ca-bundle /c'],
  [{ caBundle: '/c' }, { caBundle: '/mine' }, {}, ''],
  [{ worker: 'http://w', functionName: 'f' }, { functionName: 'g' }, {}, '--worker http://w'],
  [{ select: { delete: true, maxDelete: '5', sizeOnly: true } }, {}, { select: { sizeOnly: true } }, /^--delete --max/],
  [{ select: { delete: true, failures: '/f' } }, { delete: true }, { select: {} }, '--failures /f'],
  [{ select: { delete: true } }, { delete: false }, { select: {} }, ''],
  [{ select: { filesFrom: '/n' } }, { filesFrom: '/m' }, { select: {} }, ''],
  [{ move: true }, {}, {}, 'the deletion of what is moved'],
  [{ move: true, caBundle: '/c' }, {}, {}, '--ca-bundle /c and the deletion of what is moved'],
])(
  'of a journal from elsewhere with %j, given %j again, counts %j, and is left: %s',
  (options, given, counts, left) => {
    const { options: kept, notice } = leaveFiles(stateOf(options), given)
    expect(kept).toEqual(counts)
    const told = / without (.*): repeat/.exec(notice.message)?.[1] ?? ''
    if (left instanceof RegExp) expect(told).toMatch(left)
    else expect(told).toBe(left)
  },
)

test('of one from elsewhere the places are told as they are written, with their endpoints', () => {
  const state = { ...stateOf({ destination: { endpointUrl: 'http://odd' } }), source: end('s3://a/x/', 's3://p@a/x/') }
  expect(leaveFiles(state, {}).notice.message).toContain('from s3://p@a/x/ to s3://b/x/ at http://odd.')
})

test.each([
  [{ filesFrom: '/n' }, {}],
  [{ manifest: '/n', filesFrom: '/m' }, { filesFrom: '/m' }],
])('one from elsewhere that copies what files name (%j) does not go on with %j alone', (select, given) => {
  expect(() => leaveFiles(stateOf({ select }), given)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test.each([
  [end('/etc/a'), end('s3://b/x')],
  [end('s3://a/x'), end('file:///etc/a')],
  [end('s3://a/x', '/etc/a'), end('s3://b/x')],
  [end('/etc/a', 's3://a/x'), end('s3://b/x')],
])('one from elsewhere names no file: %j, %j', (source, destination) => {
  const refused = expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('/etc/a') })
  expect(() => trustedOf({ source, destination, options: {} })).toThrow(refused)
})

test('of jobs of other options the newest three are told, and whether they run, unless they are gone', async () => {
  const answers = [undefined, 'JOB_RUNNING', 'NO_SUCH_JOB', undefined]
  const jobs = answers.map((_, i) => ({ id: `j${i}`, options: { recursive: 'sync', select: { delete: true } } }))
  const looked = []
  const look = async id => {
    looked.push(id)
    const code = answers[Number(id[1])]
    if (code) throw errorOf(code)
  }
  const told = []
  await tellOthers(jobs, { recursive: 'sync' }, { look, emit: ({ message }) => told.push(message) })
  expect(looked).toEqual(['j0', 'j1', 'j2'])
  const words = [/^The unfinished job j0 .*\(--delete\)/, /^The job j1 .*\(--delete\), is running too/]
  expect(told).toEqual(words.map(text => expect.stringMatching(text)))
})

test.each([
  [undefined, true],
  ['auto', true],
  ['full', true],
  ['size', false],
])('a job that proves by %s is marked where a command proves less beside it: %s', async (verify, marked) => {
  const wrote = []
  const journal = { write: async fact => wrote.push(fact.type), close: async () => wrote.push('closed') }
  await markBeside([{ id: 'j', options: { verify } }], { see: async id => ({ id }), open: async () => journal })
  expect(wrote).toEqual(marked ? ['beside', 'closed'] : [])
})

test('names are in doubt that any of the jobs has not proved', () => {
  const jobs = [{ prefix: { unsure: new Set(['a']) } }, {}, { prefix: { unsure: new Set(['b']) } }]
  expect([...namesInDoubt(jobs)]).toEqual(['a', 'b'])
})

const upload = (id, left = []) => ({ upload: id && { id }, left: left.map(one => ({ id: one })), parts: new Map() })

test('the uploads of all jobs are known: of objects, of ranges, those that were left, and of damaged journals', () => {
  const prefix = { objects: new Map([['a', upload('in-prefix')]]) }
  const range = { id: 'j.1', ...upload('in-range') }
  const jobs = [
    { id: 'j', ...upload('own', ['left']), prefix, ranges: [range, undefined] },
    { id: 'k', problem: 'p', uploads: ['in-damaged'] },
    { id: 'l', problem: 'p' },
  ]
  expect([...idsOf(jobs)].sort()).toEqual(['in-damaged', 'in-prefix', 'in-range', 'left', 'own'])
})

test('the only job that can go on is meant; of several the newest three are told, with how far they are', () => {
  const jobs = ['j', 'k', 'l', 'm', 'n'].map(id => ({ id, ...stateOf({}), parts: new Map([[1, {}]]) }))
  expect(onlyOne([{ ...jobs[0], running: true }, jobs[1], { ...jobs[2], over: {} }])).toBe('k')
  const all = [{ ...jobs[0], plan: { parts: 4 } }, { ...jobs[1], prefix: { copied: { objects: 7 } } }, ...jobs.slice(2)]
  const words = [
    /5 unfinished/,
    /j \([^)]*, 1 of 4 parts\), k \([^)]*, 7 objects copied\), l \([^)]*, not planned yet\) and 2 more/,
  ]
  for (const message of words) expect(() => onlyOne(all)).toThrow(message)
  expect(() => onlyOne(all.slice(0, 3))).toThrow(/planned yet\)\.$/)
})
