'use strict'

const { configured } = require('../../../../lib/engines/http')

test('workers come from --worker, else from XFER_WORKERS, each once', async () => {
  const env = { XFER_WORKERS: ' https://c:1/ , http://d:2,https://c:1', XFER_TOKEN: 'abc' }
  expect(await configured({}, env)).toMatchObject({
    ...{ workers: ['https://c:1', 'http://d:2'], token: 'abc', from: 'the environment' },
    ...{ where: '2 workers', reach: 'network' },
  })
  expect(await configured({ worker: 'http://localhost:1/path/' }, env)).toMatchObject({
    ...{ workers: ['http://localhost:1/path'], from: '--worker', where: 'http://localhost:1/path', reach: 'local' },
  })
  expect(await configured({ worker: ['http://127.0.0.1:1', 'http://e'] }, {})).toMatchObject({ reach: 'network' })
  expect(await configured({}, { XFER_TOKEN: 'abc' })).toBeUndefined()
  expect(await configured({}, { XFER_WORKERS: ' , ' })).toBeUndefined()
})

test.each([['a:8080'], ['ftp://a'], ['https://user:pass@a'], ['https://a?x=1'], ['']])(
  'a worker at "%s" is a mistake',
  async worker => {
    const error = await configured({ worker }, {}).catch(error => error)
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('is not an http or https URL') })
    expect(error.message).not.toMatch(/pass|x=1/)
  },
)

test('what is no token is a mistake that does not repeat it', async () => {
  const worker = 'http://a'
  expect(await configured({ worker }, { XFER_TOKEN: 'abc' })).toMatchObject({ token: 'abc' })
  const error = await configured({ worker }, { XFER_TOKEN: 'two words' }).catch(error => error)
  expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('holds no token') })
  expect(error.message).not.toContain('two words')
})
