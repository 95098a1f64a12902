'use strict'

/** The calls that the classes of the platform's client make, as our transport sends them. */

const http = require('node:http')
const { listen } = require('../../../support/listen')
const { openResources } = require('../../../../lib/engines/openwhisk/resources')

const BODY = {
  exec: { kind: 'nodejs:20', code: '', binary: true, main: 'main' },
  parameters: [{ key: 'theirs', value: 'yTcR0mUN1vs=', encryption: 'aes-256' }],
  limits: { memory: 256 },
}

/** @param {(request: http.IncomingMessage, response: http.ServerResponse) => void} answer */
async function server(answer) {
  const seen = []
  const take = async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const { method, url, headers } = request
    seen.push({ method, url, by: headers['user-agent'], body: text ? JSON.parse(text) : undefined })
    answer(request, response)
  }
  return { url: (await listen(http.createServer(take))).url, seen }
}
const json = (status, value) => (_, response) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** @param {string} apihost @param {object} [more] of the settings @param {object} [how] */
function open(apihost, more, how) {
  const settings = { apihost, where: apihost, reach: 'local', auth: 'me:key', namespace: 'of/us', from: '', ...more }
  return openResources(settings, { action: 'xfer/copy-range', ...how })
}

// The client goes by it where it is told no namespace.
beforeEach(() => {
  process.env.__OW_NAMESPACE = 'other'
})
afterEach(() => {
  delete process.env.__OW_NAMESPACE
})

test('each call names the namespace of the settings, and has the body as it was given', async () => {
  const { url, seen } = await server(json(200, { name: 'a' }))
  const { actions, packages, namespaces, close } = open(url)
  await actions.get({ name: 'xfer/a', code: false })
  await actions.update({ name: 'xfer/a', annotations: { final: true }, action: BODY })
  await actions.delete('xfer/a')
  await packages.update('xfer')
  await namespaces.list()
  close()
  const by = 'xfer'
  const own = '/api/v1/namespaces/of%2Fus'
  const annotations = [{ key: 'final', value: true }]
  expect(seen).toEqual([
    { method: 'GET', url: `${own}/actions/xfer/a?code=false`, by },
    { method: 'PUT', url: `${own}/actions/xfer/a?overwrite=true`, by, body: { annotations, ...BODY } },
    { method: 'DELETE', url: `${own}/actions/xfer/a`, by },
    { method: 'PUT', url: `${own}/packages/xfer?overwrite=true`, by, body: {} },
    { method: 'GET', url: '/api/v1/namespaces', by },
  ])
})

test('an answer that does not come ends with the deadline, and with a cancel', async () => {
  const stop = new AbortController()
  const { url } = await server(() => stop.signal.dispatchEvent(new Event('asked')))
  const late = open(url, {}, { silenceMs: 100 })
  await expect(late.packages.get('xfer')).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE' })
  late.close()
  const cancelled = open(url, {}, { signal: stop.signal })
  stop.signal.addEventListener('asked', () => stop.abort(), { once: true })
  await expect(cancelled.packages.get('xfer')).rejects.toMatchObject({ code: 'INTERRUPTED' })
  cancelled.close()
})

test('the proxy of the settings has the request', async () => {
  const { url, seen } = await server(json(200, {}))
  const { packages, close } = open('http://platform.invalid', { proxy: () => url })
  await packages.get('xfer')
  close()
  expect(seen.map(one => one.url)).toEqual(['http://platform.invalid:80/api/v1/namespaces/of%2Fus/packages/xfer'])
})
