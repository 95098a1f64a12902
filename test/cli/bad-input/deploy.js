'use strict'

/** What `xfer deploy` may be asked for and meet. */

const at = name => ({ APIHOST: `{${name}Host}`, AUTH: `{${name}Auth}` })
const host = address => ({ APIHOST: address, AUTH: 'some:KEY' })

/** @type {import('../bad-input').Row[]} */
module.exports = [
  { it: 'nowhere to deploy to', command: 'deploy', exit: 5, code: 'NO_PLATFORM', advises: 'APIHOST' },
  { it: 'a host to deploy to without a key', command: 'deploy --apihost host', exit: 2, code: 'USAGE', says: 'no key' },
  { it: 'a location to deploy', command: 'deploy s3://src/object', exit: 2, code: 'USAGE', says: '0' },
  { it: 'memory that is no number', command: 'deploy --memory lots', env: at('empty'), exit: 2, code: 'USAGE' },
  { it: 'no time at all', command: 'deploy --timeout 0', env: at('empty'), exit: 2, code: 'USAGE', says: '--timeout' },
  {
    it: 'a package of two names',
    command: 'deploy --package a/b',
    env: at('empty'),
    exit: 2,
    code: 'USAGE',
    says: '"a/b"',
  },
  {
    it: 'a package that copies cannot be in',
    command: 'copy s3://src/object s3://dst/new --package a/b',
    exit: 2,
    code: 'USAGE',
    says: '--package "a/b"',
  },
  {
    it: 'more memory than the platform has',
    command: 'deploy --memory 4096',
    env: at('empty'),
    exit: 5,
    code: 'PLATFORM_REFUSED',
    says: 'memory size 4096 MB exceeds allowed threshold of 512 MB',
    advises: '--memory',
  },
  {
    it: 'more time than the platform gives',
    command: 'deploy --timeout 600',
    env: at('empty'),
    exit: 5,
    code: 'PLATFORM_REFUSED',
    says: 'duration 600000 milliseconds exceeds allowed threshold of 300000 milliseconds',
  },
  {
    it: 'a runtime that the platform has not',
    command: 'deploy --runtime nodejs:99',
    env: at('empty'),
    exit: 5,
    code: 'PLATFORM_REFUSED',
    says: "'nodejs:99' is not supported",
  },
  {
    it: 'the package name that nobody may have',
    command: 'deploy --package default',
    env: at('empty'),
    exit: 5,
    code: 'PLATFORM_REFUSED',
    says: 'reserved',
  },
  {
    it: 'a wrong key to deploy with',
    command: 'deploy',
    env: { ...at('empty'), AUTH: '23bc46b1:wrong-KEY' },
    exit: 5,
    code: 'PLATFORM_KEY_REFUSED',
    says: '401',
  },
  {
    it: 'a wrong key to undeploy with',
    command: 'deploy --undeploy',
    env: { ...at('empty'), AUTH: '23bc46b1:wrong-KEY' },
    exit: 5,
    code: 'PLATFORM_KEY_REFUSED',
  },
  {
    it: 'a namespace of somebody else to deploy to',
    command: 'deploy',
    env: { ...at('empty'), NAMESPACE: 'somebody' },
    exit: 5,
    code: 'PLATFORM_KEY_REFUSED',
  },
  {
    it: 'a platform to deploy to that is down',
    command: 'deploy',
    env: host('http://{closed}'),
    exit: 5,
    code: 'PLATFORM_UNREACHABLE',
  },
  {
    it: 'a platform to deploy to that is a web site',
    command: 'deploy',
    env: host('http://{html}'),
    exit: 5,
    code: 'NOT_A_PLATFORM',
  },
  {
    it: 'a platform to deploy to that is an object store',
    command: 'deploy',
    env: host('{source}'),
    exit: 5,
    code: 'NOT_A_PLATFORM',
  },
  {
    it: 'a platform to deploy to that sends elsewhere',
    command: 'deploy',
    env: host('http://{redirect}'),
    exit: 5,
    code: 'NOT_A_PLATFORM',
  },
]
