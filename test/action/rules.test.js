'use strict'

/** What a store's answers mean comes with the invocation: here those of a store that is unlike S3 in everything that a rule can say. */

const { createHash } = require('node:crypto')
const { main, VERSION } = require('../../actions/copy-range')
const answers = require('../../actions/copy-range/answers')
const { READ } = require('../../lib/stores/s3/answers')
const { crc32Of, S3, httpStore, makeTask, partSink, rangeSource, someBytes } = require('./stores')

const OBJECT = someBytes(10)
const md5Of = (/** @type {Buffer} */ bytes) => createHash('md5').update(bytes).digest('hex')

const TOY_READ = {
  statuses: [200],
  changed: [409],
  etag: { header: 'toy-version', required: true },
  checksums: [
    { sum: 'md5', header: 'toy-md5', encoding: 'hex', only: { header: 'toy-md5-of', value: 'object' } },
    { sum: 'crc32', header: 'toy-sums', encoding: 'base64le', member: 'crc' },
  ],
  describes: { names: ['toy-class'], prefixes: ['toy-note-'], defaults: { 'toy-class': 'usual' } },
  tells: ['toy-id'],
  errorCode: { header: 'toy-error' },
}
const TOY_WRITE = {
  statuses: [201, 202],
  etag: { header: 'toy-version', required: false },
  tells: ['toy-id'],
  errorCode: { xml: ['error', 'reason'] },
}
const accepts = { 'toy-read': TOY_READ, 'toy-write': TOY_WRITE }

/** Of the store `toy`: an object that is read whole. */
function toySource(headers = {}, { status = 200, body = OBJECT } = {}) {
  return httpStore((_request, response) => {
    response.writeHead(status, { 'toy-version': 'v1', 'content-length': body.length, ...headers }).end(body)
  })
}

/** A task of it, from its source to its sink. */
function toyTask(source, sink, fields = {}) {
  const task = makeTask(source, sink, { bytes: 10, etag: 'v1', ranged: false, ...fields })
  return { ...task, read: { ...task.read, accepts: 'toy-read' }, write: { ...task.write, accepts: 'toy-write' } }
}

const run = async (/** @type {unknown} */ task, rules = { ...accepts, ...S3.accepts }) => {
  const { outcomes } = await main({ version: VERSION, tasks: [task], accepts: rules })
  return outcomes[0]
}

describe('by its rule', () => {
  test('a write may answer 201 and without an ETag', async () => {
    const sink = await partSink({}, 201)
    const copied = { bytes: 10, etag: '', sums: { crc32: crc32Of(OBJECT) } }
    expect(await run(toyTask(await toySource(), sink))).toMatchObject(copied)
    expect(sink.writes[0].body).toEqual(OBJECT)
  })

  test('a status of success that it does not name cannot be used', async () => {
    expect(await run(toyTask(await toySource(), await partSink()))).toMatchObject({
      error: { code: 'BAD_ANSWER', side: 'write', message: expect.stringContaining('its status is not 201 or 202') },
    })
  })

  test('an object whose version is another one is not written', async () => {
    const sink = await partSink({}, 201)
    const outcome = await run(toyTask(await toySource({ 'toy-version': 'v9', etag: 'v1' }), sink))
    expect(outcome).toMatchObject({ error: { code: 'SOURCE_CHANGED', expected: 'v1', found: 'v9' } })
    expect(sink.connections).toBe(0)
  })

  test('the statuses of a read that tell of a change are its own', async () => {
    const answered = async (status, storeCode) => {
      const source = await toySource({ 'toy-error': storeCode }, { status })
      return (await run(toyTask(source, await partSink({}, 201)))).error
    }
    const changed = { code: 'SOURCE_CHANGED', status: 409, storeCode: 'Gone.Elsewhere' }
    expect(await answered(409, 'Gone.Elsewhere')).toMatchObject(changed)
    expect(await answered(412, 'Unmet')).toMatchObject({ code: 'HTTP_STATUS', status: 412, storeCode: 'Unmet' })
  })

  test('bytes that do not have the checksum of the object are not written, and that of parts is not asked', async () => {
    const sink = await partSink({}, 201)
    const stored = md5Of(Buffer.from('other')).toUpperCase()
    const copied = async kind =>
      run(toyTask(await toySource({ 'toy-md5': stored, 'toy-md5-of': kind }), sink, { sums: ['md5'] }))
    expect(await copied('object')).toMatchObject({
      error: { code: 'SUM_MISMATCH', sum: 'md5', expected: stored.toLowerCase(), found: md5Of(OBJECT) },
    })
    expect(sink.writes).toEqual([])
    expect(await copied('parts')).toMatchObject({ bytes: 10 })
  })

  test('what describes the object is told, and nothing else', async () => {
    const described = { 'toy-class': 'rare', 'toy-note-a': '' }
    const others = { 'x-amz-meta-b': 'secret', 'content-type': 'a/b' }
    const source = await toySource({ ...described, ...others, 'toy-id': '7' })
    const outcome = await run(toyTask(source, await partSink({ 'toy-id': '8', etag: '"secret"' }, 201), { tell: true }))
    expect(outcome.headers).toEqual({ read: { ...described, 'toy-id': '7' }, write: { 'toy-id': '8' } })
    const expect_ = headers => ({ etag: 'v1', totalBytes: 10, headers })
    const sink = await partSink({}, 201)
    expect(await run(toyTask(source, sink, { expect: expect_(described) }))).toMatchObject({ bytes: 10 })
    expect(await run(toyTask(source, sink, { expect: expect_({}) }))).toMatchObject({
      error: { code: 'HEADERS_DIFFER', side: 'read', headers: described },
    })
    expect(sink.writes).toHaveLength(1)
    const usual = await toySource({ 'toy-class': 'usual' })
    expect(await run(toyTask(usual, sink, { expect: expect_({}) }))).toMatchObject({ bytes: 10 })
  })

  const TOKEN = 'correct.horse-battery'
  test.each([
    ['<Why>Too many. Take &lt; 10 &amp; try&#x20;again.</Why>', 'Too many. Take < 10 & try again'],
    ['<Why>Two\nlines\u001b[31m</Why><Reason>x</Reason>', 'Two lines [31m'],
    ['<More>of it</More><Why>x</Why>', 'of it'],
    [`<Why>You sent ${TOKEN} to ?sig=short-one</Why>`, 'You sent … to ?…'],
    [`<Why>${'word '.repeat(1000)}</Why>`, expect.stringMatching(/^(?:word ){99}word…$/)],
    ['<Why></Why>', undefined],
    ['no document', undefined],
  ])('the message of a refusal is told whole, without secrets of the request: %j', async (inner, storeMessage) => {
    const body = `<Error>${inner}</Error>`
    const sink = await httpStore((request, response) => {
      request.resume().on('end', () => response.writeHead(400, { 'content-length': Buffer.byteLength(body) }).end(body))
    })
    const task = toyTask(await toySource(), sink)
    const write = { ...task.write, headers: { ...task.write.headers, 'toy-token': TOKEN } }
    const errorMessage = { xml: ['Error', 'More', 'Why'] }
    const { error } = await run({ ...task, write }, { ...accepts, 'toy-write': { ...TOY_WRITE, errorMessage } })
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 400 })
    expect(error.storeMessage).toEqual(storeMessage)
    // A rule of an older library does not name it.
    expect((await run({ ...task, write })).error).not.toHaveProperty('storeMessage')
  })
})

describe('rules that cannot be understood', () => {
  test.each([
    ['a redirect as a success', { r: { statuses: [200, 302] } }],
    ['a header with a line break', { r: { ...READ, tells: ['a\nb'] } }],
    ['a code by an expression', { r: { ...READ, errorCode: { xml: ['Error', '.*'] } } }],
    ['a message by an expression', { r: { ...READ, errorMessage: { xml: ['Error', '.*'] } } }],
  ])('%s: are answered with one sentence and nothing else', async (_, given) => {
    const error = expect.stringMatching(/^The parameter accepts .*\.$/)
    expect(await main({ version: VERSION, tasks: [], accepts: given })).toEqual({ error })
  })

  const names = (many, name = 'a') => Array(many).fill(name)
  const NO_STATUSES = [undefined, [], [199], [300], [200.5], ['200'], names(65, 200), 200, {}]
  const sum = { sum: 'md5', header: 'a', encoding: 'hex' }
  const etag = header => ({ header, required: true })
  const [code, why] = ['Code', 'Why'].map(name => ({ xml: ['Error', name] }))
  const about = { names: ['a'] }
  const noSums = [{ sum: 'sha1' }, { encoding: 'utf8' }, { header: 'location' }, { member: 7 }]
  const noOnly = ['a', { value: 'b' }, { header: 'a' }].map(only => ({ only }))
  const NO_SUMS = [[null], ...[...noSums, ...noOnly].map(more => [{ ...sum, ...more }])]
  const noPrefixes = ['x-', 'set-', 7].map(prefix => ({ prefixes: [prefix] }))
  const noDefaults = ['a', { a: '', b: 7 }].map(defaults => ({ defaults }))
  const ABOUTS = [...noPrefixes, ...noDefaults, { framings: 'gzip' }].map(more => ({ ...about, ...more }))
  const XMLS = [['Error'], ['Error', 'Code', 'Sub'], ['Error', 7]].map(xml => ({ xml }))
  /** @type {Array<[field: string, understood: any[], not: any[]]>} */
  const FIELDS = [
    ['statuses', [[200], [299], names(64, 200)], NO_STATUSES],
    ['changed', [undefined, [], [400], [599]], [null, [399], [600], [400.5], ['404']]],
    ['etag', [etag('a')], ['a', null, { header: 'a' }, etag('cookie'), etag('A')]],
    ['checksums', [[sum], [{ ...sum, member: 'm' }], [{ ...sum, only: { header: 'a', value: 'b' } }]], NO_SUMS],
    [
      ...['describes', [about, { ...about, prefixes: ['x-a'], defaults: { a: '' }, framings: ['gzip'] }]],
      [null, {}, { names: ['cookie'] }, ...ABOUTS],
    ],
    ['tells', [names(64), ['a'.repeat(128)]], [names(65), [7], [''], ['a'.repeat(129)], ['authorization']]],
    ['errorCode', [{ header: 'a' }, code], [null, {}, { header: 'cookie' }, { ...code, header: 'a' }, ...XMLS]],
    ['errorMessage', [why], [null, {}, { xml: ['Error'] }, { ...why, header: 'a' }, { xml: ['Error', null] }]],
  ]
  const errorOf = (field, value) => answers.rulesError({ r: { ...READ, [field]: value } })

  test.each(FIELDS)('a field has its shape: %s', (field, understood, not) => {
    expect(understood.map(value => errorOf(field, value))).toEqual(understood.map(() => undefined))
    const error = `The parameter accepts is not understood: ${field} of the rule "r".`
    expect(not.map(value => errorOf(field, value))).toEqual(not.map(() => error))
  })

  const reads = many => Object.fromEntries(names(many).map((_, i) => [i, READ]))
  test.each([
    ['none', undefined, undefined],
    ['as many as there may be', reads(16), undefined],
    ['too many', reads(17), 'has more than 16 rules'],
    ['a list', [READ], 'is no object'],
    ['nothing', null, 'is no object'],
    ['a rule that is none', { ['r'.repeat(40)]: null }, `is not understood: all of it of the rule "${'r'.repeat(32)}"`],
  ])('all together: %s', (_, accepts, error) => {
    expect(answers.rulesError(accepts)).toBe(error && `The parameter accepts ${error}.`)
  })

  test.each(['constructor', undefined])('a request that names none of them is a BAD_TASK: %s', async name => {
    const sink = await partSink()
    const task = makeTask(await rangeSource(OBJECT), sink, { bytes: 10 })
    const outcome = await run({ ...task, write: { ...task.write, accepts: name } })
    expect(outcome).toMatchObject({ error: { code: 'BAD_TASK', message: expect.stringContaining('no rule') } })
    expect(sink.connections).toBe(0)
  })
})

describe('what an answer says', () => {
  const DESCRIBES = {
    names: ['content-encoding', 'a-class'],
    ...{ prefixes: ['x-', 'y-'], defaults: { 'a-class': 'usual' }, framings: ['aws-chunked'] },
  }

  /** By a rule of names alone. */
  const NAMED = { a: 'b', 'content-encoding': 'aws-chunked' }

  test('an ETag is compared without its quotes and its W/, where it has both quotes, or none', () => {
    const bare = { '"e"': 'e', e: 'e', 'W/"e"': 'e', 'W/e': 'e', ' "e" ': 'e', '""': '' }
    const odd = { '"e': '"e', 'e"': 'e"', '"': '"', 'W/"': '"', 'eW/': 'eW/' }
    const found = Object.keys({ ...bare, ...odd }).map(etag => [etag, answers.bareEtag(etag)])
    expect(Object.fromEntries(found)).toEqual({ ...bare, ...odd })
  })

  const CRC = { sum: 'crc32', encoding: 'hex' }
  test.each([
    [{ a: '0000000F' }, { header: 'a' }, { crc32: '0000000f' }],
    [{ a: '0f' }, { header: 'a' }, {}],
    [{}, { header: 'a' }, {}],
    [{ a: 'x=1, crc=0000000f' }, { header: 'a', member: 'crc' }, { crc32: '0000000f' }],
    [{ a: ['x=1', 'CRC=:0000000f:'] }, { header: 'a', member: 'crc' }, { crc32: '0000000f' }],
    [{ a: 'crc=:0000000f' }, { header: 'a', member: 'crc' }, {}],
    [{ a: '0000000f', of: 'all' }, { header: 'a', only: { header: 'of', value: 'all' } }, { crc32: '0000000f' }],
    [{ a: '0000000f', of: 'part' }, { header: 'a', only: { header: 'of', value: 'all' } }, {}],
    [{ a: '0000000f' }, { header: 'a', only: { header: 'of', value: 'all' } }, { crc32: '0000000f' }],
  ])('%j, by the rule %j, has the checksums %j', (headers, rule, expected) => {
    expect(answers.sumsIn(headers, [{ ...CRC, ...rule }])).toEqual(expected)
    expect(answers.sumsIn(headers)).toEqual({})
  })

  test.each([
    [{ 'content-encoding': 'aws-chunked' }, {}],
    [{ 'content-encoding': 'aws-chunked, gzip,br' }, { 'content-encoding': 'gzip,br' }],
    [{ 'content-encoding': 'gzip, br' }, { 'content-encoding': 'gzip, br' }],
    [{ 'a-class': 'aws-chunked' }, { 'a-class': 'aws-chunked' }],
    [{ 'a-class': 'usual' }, {}],
    [{ 'a-class': '' }, {}],
    [
      { 'y-b': '', 'x-a': 'usual', etag: 'e' },
      { 'x-a': 'usual', 'y-b': '' },
    ],
    [NAMED, NAMED, { names: Object.keys(NAMED) }],
  ])('%j describes the object by %j', (headers, expected, rule = DESCRIBES) => {
    expect(Object.entries(answers.describing(headers, rule))).toEqual(Object.entries(expected))
    expect(answers.describing(headers)).toEqual({})
  })

  test('headers that are longer than an object may have are not told', () => {
    const rule = { describes: { names: ['d'] }, tells: ['t', 'u'] }
    const of = (d, t) => answers.reportedHeaders({ headers: { d, t, u: '' }, rule }, { headers: { d, t }, rule })
    expect(of('1', '2')).toEqual({ read: { d: '1', t: '2' }, write: { t: '2' } })
    expect(of('1'.repeat(4095), '2'.repeat(4095))).toMatchObject({ read: { d: expect.anything() } })
    expect(of('1'.repeat(4096), '2'.repeat(4095))).toEqual({ write: { t: '2'.repeat(4095) } })
    expect(of('1', '2'.repeat(8192))).toEqual({ write: {} })
    expect(answers.reportedHeaders({ headers: {}, rule })).toEqual({ read: {} })
  })

  const ETAG = { header: 'etag', required: true }
  const head = (status, headers, { bytes = 10, start = 10, total = 100, etag = 'e', rule = ETAG } = {}) => {
    const work = { bytes, start, expect: { etag, totalBytes: total }, read: { rule: { etag: rule } } }
    try {
      return answers.checkHead({ status, headers: { etag: '"e"', ...headers } }, work)
    } catch (error) {
      const { code, side, expected, found, detail } = error.toJSON()
      return JSON.parse(JSON.stringify({ code, side, expected, found, detail }))
    }
  }
  const ALL = { start: 0, total: 10 }
  const range = text => ({ 'content-range': text })
  const UNRANGED = '206 without Content-Range'
  const LONG = `"${'f'.repeat(200)}"`
  const fails = (code, facts) => expect.objectContaining({ code, side: 'read', ...facts })

  test.each([
    ['the range', 206, range('bytes 10-19/100'), {}, undefined],
    ['the range, written otherwise', 206, range('Bytes  10-19/100'), {}, undefined],
    ['all', 200, {}, ALL, undefined],
    ['all of another length', 200, { 'content-length': '11' }, ALL, fails('BODY_LENGTH', { expected: 10, found: 11 })],
    ['several ranges', 206, {}, ALL, fails('WRONG_RANGE', { expected: 'bytes 0-9/10', found: UNRANGED })],
    ['all in place of a range', 200, {}, {}, fails('WRONG_RANGE', { found: '200 without Content-Range' })],
    ['another beginning', 206, range('bytes 9-19/100'), {}, fails('WRONG_RANGE', { expected: '10-19', found: '9-19' })],
    ['another end', 206, range('bytes 10-20/100'), {}, fails('WRONG_RANGE', { found: '10-20' })],
    ['another object', 206, range('bytes 10-19/99'), {}, fails('SOURCE_CHANGED', { expected: 100, found: 99 })],
    ['an object of any size', 206, range('bytes 10-19/*'), {}, fails('BAD_ANSWER')],
    ['another range of any size', 206, range('bytes 10-20/*'), {}, fails('WRONG_RANGE')],
    ['more than a range', 206, range('x bytes 10-19/100'), {}, fails('BAD_ANSWER')],
    ['more behind it', 206, range('bytes 10-19/100x'), {}, fails('BAD_ANSWER')],
    ['another ETag', 200, { etag: LONG }, ALL, fails('SOURCE_CHANGED', { expected: 'e', found: LONG.slice(0, 128) })],
    ['no ETag', 200, { etag: undefined }, ALL, fails('BAD_ANSWER')],
    ['no ETag, where it need not', 200, { etag: undefined }, { ...ALL, rule: { ...ETAG, required: false } }, undefined],
    ['another ETag, where none was known', 200, { etag: 'f' }, { ...ALL, etag: '' }, undefined],
    ['another ETag, where the store has none', 200, { etag: 'f' }, { ...ALL, rule: null }, undefined],
  ])('is of the object and of the range, or not: %s', (_, status, headers, how, expected) => {
    expect(head(status, headers, how)).toEqual(expected)
  })

  test.each([
    [{ header: 'a' }, { a: 'Too.Many' }, '', 'Too.Many'],
    [{ header: 'a' }, {}, '', undefined],
    [{ header: 'a' }, { a: 'two words' }, '', undefined],
    [{ header: 'a' }, { a: `k7${'x'.repeat(30)}` }, '', undefined],
    [{ header: 'a' }, { a: `k7${'x'.repeat(29)}` }, '', `k7${'x'.repeat(29)}`],
    [{ header: 'a' }, { a: 'x'.repeat(40) }, '', 'x'.repeat(40)],
    [undefined, { a: 'b' }, '', undefined],
    [{ xml: ['E', 'C'] }, {}, '<E a="b"><D/><C> Busy </C>', 'Busy'],
    [{ xml: ['E', 'C'] }, {}, '<F><C>Busy</C>', undefined],
  ])('by the rule %j, in %j and %j, the code of a refusal is %s', (rule, headers, body, expected) => {
    expect(answers.errorCodeIn({ headers, body }, rule)).toBe(expected)
  })

  test.each([
    ['a &#65;&#0000066;&#x43;&QUOT;&apos;&gt; b', 'a ABC"\'> b'],
    ['a &#x10ffff; b', 'a b'],
    ['a &#x110000; b', 'a &#x110000; b'],
    ['path-secret and query-secret', 'path-secret and …'],
    ['header-secret and header-word', '… and header-word'],
  ])('the message of a refusal is read without references and secrets: %j', (text, expected) => {
    const headers = { 'x-auth': 'header-secret', 'x-word': 'header-word' }
    const request = { headers, path: '/auth=path-secret?sig=query-secret' }
    expect(answers.errorMessageIn(`<E><M>${text}</M></E>`, { xml: ['E', 'M'] }, request)).toBe(expected)
    expect(answers.errorMessageIn(`<E><M>${text}</M></E>`, undefined, request)).toBeUndefined()
  })
})
