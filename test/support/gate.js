'use strict'

const http = require('node:http')
const { serve } = require('./serving')

/**
 * Stands before an HTTP server and passes everything on as it comes, signatures and all; a request that somebody waits for
 * is held back until it may go on.
 *
 * @param {{ endpoint: string }} server
 * @param {(etag: string, method: string) => string} [etagOf] answers with this ETag instead
 */
async function startGate({ endpoint }, etagOf = etag => etag) {
  const { port } = new URL(endpoint)
  /** @type {Array<{ fits: (request: http.IncomingMessage) => boolean, reached: (goOn: () => void) => void }>} */
  let waiting = []

  /** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
  async function pass(request, response) {
    const held = waiting.find(({ fits }) => fits(request))
    if (held) {
      waiting = waiting.filter(each => each !== held)
      await new Promise(resolve => held.reached(() => resolve(undefined)))
    }
    const { method, url: path, headers } = request
    const onward = http.request({ host: '127.0.0.1', port, method, path, headers, setHost: false })
    onward.on('response', answer => {
      const at = answer.rawHeaders.indexOf('ETag') + 1
      if (at > 0) answer.rawHeaders[at] = etagOf(answer.rawHeaders[at], method)
      response.writeHead(answer.statusCode, answer.rawHeaders)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  }

  const { endpoint: own, close } = await serve(http.createServer((request, response) => void pass(request, response)))
  return {
    endpoint: own,
    close,
    /**
     * Holds the first request that fits from now on.
     *
     * @param {(request: http.IncomingMessage) => boolean} fits
     * @returns {Promise<() => void>} once it is there; what it gives lets it go on
     */
    hold(fits) {
      return new Promise(reached => waiting.push({ fits, reached }))
    },
  }
}

module.exports = { startGate }
