'use strict'

/** `--allow-hosts`: the hosts that functions may connect to, in the action's own syntax. */

const { isHostRule } = require('../../actions/copy-range/access')
const { redact, XferError } = require('../errors')

/**
 * @param {string | string[]} given names, `*.` and the end of a name, addresses, ranges of addresses, `*`; as a text, joined
 *   by commas
 * @param {string} option the option's name, for the message
 * @returns {string[]} at least one
 * @throws {XferError} USAGE
 */
function parseHosts(given, option) {
  const hosts = (typeof given === 'string' ? given.split(',') : given).map(host => String(host).trim())
  const advice = 'Give it as *.example.org,store.example.net,10.0.0.0/8, or as some of these; * is any host.'
  if (hosts.every(host => host === '')) throw new XferError('USAGE', { text: `${option} names no host.`, advice })
  const odd = hosts.find(host => !isHostRule(host))
  if (odd === undefined) return hosts
  const text = `${option} has "${redact(odd)}", which is neither the name of a host nor an address or a range of them.`
  throw new XferError('USAGE', { text, advice })
}

module.exports = { parseHosts }
