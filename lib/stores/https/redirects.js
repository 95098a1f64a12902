'use strict'

/** Redirects of an HTTPS source are followed once, when it is found; functions follow none. RFC 9110 section 15.4 */

const { EXIT, XferError } = require('../../errors')
const { isLoopback } = require('../../http')
const { encoded } = require('./settings')

const REDIRECTS = [301, 302, 303, 307, 308]
/** Browsers follow twenty. */
const MOST_HOPS = 10

/**
 * @template {{ status: number, headers: Record<string, string> }} A
 * @param {string} url
 * @param {(url: string) => Promise<A>} get
 * @param {Record<string, any>} facts for errors, which have no address
 * @returns {Promise<{ answer: A, url: string, redirected: boolean }>} the last answer, and where it came from
 * @throws {XferError} ADDRESS_REFUSED; what `get` throws
 */
async function follow(url, get, facts) {
  const visited = [url]
  let answer = await get(url)
  while (REDIRECTS.includes(answer.status)) {
    visited.unshift(nextAddress(visited, answer.headers.location, facts))
    answer = await get(visited[0])
  }
  return { answer, url: visited[0], redirected: visited.length > 1 }
}

/**
 * The address of the next request.
 *
 * @param {string[]} visited the addresses so far, the last one first: at least one
 * @param {string | undefined} location of the answer
 * @param {Record<string, any>} facts for errors, which have no address
 * @returns {string}
 * @throws {XferError} ADDRESS_REFUSED
 */
function nextAddress(visited, location, facts) {
  const from = new URL(visited[0])
  /** @param {string} reason @param {string} [advice] */
  const refused = (reason, advice) =>
    new XferError('ADDRESS_REFUSED', {
      ...facts,
      exit: EXIT.FAILED,
      endpoint: facts.location,
      reason: `it redirects ${reason}`,
      here: true,
      advice,
    })
  if (location === undefined || !URL.canParse(location, from.href)) throw refused('to no address')
  const to = new URL(location, from.href)
  if (!/^https?:$/.test(to.protocol)) throw refused(`to ${to.protocol}, which is no address of the web`)
  if (to.username !== '' || to.password !== '') throw refused('to an address with a password')
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw refused(
      `from https:// to http://${to.host}, where nothing protects the bytes`,
      'Give the http:// address yourself if you want that.',
    )
  }
  if (isLoopback(to.hostname) && !isLoopback(from.hostname)) {
    throw refused('to this machine', 'Give that address yourself if you want that.')
  }
  // As it was given, because it may be signed; `URL` would resolve its dots.
  const absolute = /^https?:\/\/[^/?#\\]+([^#]*)/is.exec(location)
  const url = to.origin + (absolute ? encoded(absolute[1].replace(/^(?!\/)/, '/')) : to.pathname + to.search)
  if (visited.includes(url)) throw refused('in a circle')
  if (visited.length > MOST_HOPS) throw refused(`more than ${MOST_HOPS} times`)
  return url
}

module.exports = { follow }
