'use strict'

const http = require('node:http')
const { closing, listen } = require('./listen')
const { openStore } = require('./s3')

/**
 * xfer's own store at a server of the test's, which speaks as the test says.
 *
 * @param {(response: http.ServerResponse, request: http.IncomingMessage) => void} answer to each request, once it came whole
 * @param {object} [settings] over the usual ones
 */
async function storeAnswering(answer, settings, bucket = 'bucket') {
  const server = http.createServer((request, response) => request.resume().on('end', () => answer(response, request)))
  const access = { accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' }
  const store = openStore({ endpoint: (await listen(server)).url, ...access }, bucket, settings)
  closing(store.close)
  return store
}

module.exports = { storeAnswering }
