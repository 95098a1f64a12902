'use strict'

/** What the requests to all stores have in common. */

/** Whether the client waits for `100 Continue` before it sends its body. @param {{ header(name: string): string | undefined }} request */
function awaitsContinue(request) {
  return request.header('expect')?.toLowerCase() === '100-continue'
}

/**
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 * @returns {import('./types').Received} its operation is not known yet
 */
function receive(req, res) {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const headers = collectHeaders(req.rawHeaders)
  const [rawPath, rawQuery] = splitTarget(req.url ?? '/')
  /** @param {string} name */
  const header = name => headers.get(name)?.join(',')
  return {
    req,
    res,
    method: req.method ?? '',
    rawPath,
    queryList: readQuery(rawQuery),
    headers,
    header,
    operation: '',
    effects: { request: {}, response: {} },
    signal: gone.signal,
    continueBody() {
      if (awaitsContinue({ header })) res.writeContinue()
      headers.delete('expect')
    },
    bytesReceived: 0,
    bytesSent: 0,
    bodyRead:
      headers.get('content-length')?.[0] === '0' ||
      !(headers.has('content-length') || headers.has('transfer-encoding')),
  }
}

/** @param {string[]} raw names and values in turn */
function collectHeaders(raw) {
  /** @type {Map<string, string[]>} */
  const headers = new Map()
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i].toLowerCase()
    const values = headers.get(name)
    if (values) values.push(raw[i + 1])
    else headers.set(name, [raw[i + 1]])
  }
  return headers
}

/** @param {string} target the path as sent, or an absolute URL, as proxies get it */
function splitTarget(target) {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '')
  const at = path.indexOf('?')
  return at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)]
}

/** @param {string} rawQuery @returns {[string, string][]} */
function readQuery(rawQuery) {
  if (rawQuery === '') return []
  return rawQuery
    .split('&')
    .filter(field => field !== '')
    .map(field => {
      const at = field.indexOf('=')
      return at === -1 ? [decodeField(field), ''] : [decodeField(field.slice(0, at)), decodeField(field.slice(at + 1))]
    })
}

/** @param {string} text */
function decodeField(text) {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Invalid encoding: no client signs that, and as a literal value it does no harm.
    return spaced
  }
}

module.exports = { awaitsContinue, collectHeaders, readQuery, receive, splitTarget }
