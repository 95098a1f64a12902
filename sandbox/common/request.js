'use strict'

/** What the requests to all stores have in common. */

/** Whether the client waits for `100 Continue` before it sends its body. @param {{ header(name: string): string | undefined }} request */
function awaitsContinue(request) {
  return request.header('expect')?.toLowerCase() === '100-continue'
}

/**
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 */
function receive(req, res) {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const headers = headersOf(req)
  const { rawPath, queryList } = splitTarget(req.url ?? '/')
  /** @param {string} name */
  const header = name => headers.get(name)?.join(',')
  return {
    req,
    res,
    method: req.method ?? '',
    /** The path as sent, without the query. */
    rawPath,
    /** Decoded, in the order sent. */
    queryList,
    /** Names in lower case; values as bytes (latin1). */
    headers,
    header,
    /** Not known yet. */
    operation: '',
    /** @type {import('./faults').Effects} */
    effects: { request: {}, response: {} },
    /** Aborted when the connection is gone. */
    signal: gone.signal,
    /** Must be called before the request's body is read: sends `100 Continue` to a waiting client. */
    continueBody() {
      if (awaitsContinue({ header })) res.writeContinue()
      headers.delete('expect')
    },
    bytesReceived: 0,
    bytesSent: 0,
    /** The body was read to its end. */
    bodyRead:
      headers.get('content-length')?.[0] === '0' ||
      !(headers.has('content-length') || headers.has('transfer-encoding')),
  }
}

/** Names in lower case, and the values of each. @param {import('node:http').IncomingMessage} request */
function headersOf({ headersDistinct }) {
  return new Map(/** @type {[string, string[]][]} */ (Object.entries(headersDistinct)))
}

/** @param {string} target the path as sent, or an absolute URL, as proxies get it @returns {{ rawPath: string, queryList: [string, string][] }} */
function splitTarget(target) {
  const [rawPath, ...query] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  return { rawPath, queryList: [...new URLSearchParams(query.join('?'))] }
}

module.exports = { awaitsContinue, headersOf, receive, splitTarget }
