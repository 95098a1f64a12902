'use strict'

/** What does not pass: the copy stops, with its code, its sentence, and nothing left at the destination. */

const ONCE_MORE = ['--retries', '1']

/** @type {import('../platform-faults').Row[]} */
module.exports = [
  {
    it: 'always 500',
    faults: [{ status: 500 }],
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: the OpenWhisk platform at \S+ failed \(HTTP 500: There was an internal server error\)\.$/,
    advises: 'Repeat',
  },
  {
    it: 'every answer is lost before anything was done',
    faults: [{ cut: true }],
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: the OpenWhisk platform at \S+ cannot be reached \(ECONNRESET/,
  },
  {
    it: '502: the action always throws',
    action: 'exports.main = () => { throw new Error("boom") }',
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: the action failed on \S+: An error has occurred: Error: boom\.$/,
  },
  {
    it: '502: always out of memory, really',
    action: 'exports.main = () => { const all = []; for (;;) all.push(Buffer.alloc(16e6, 1)) }',
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: a function on \S+ ran out of memory\.$/,
    advises: 'more memory',
  },
  {
    it: '502: the action does not load',
    action: 'throw new Error("no such module")',
    exit: 5,
    code: 'ACTION_BROKEN',
    says: /no such module/,
    advises: 'xfer deploy',
  },
  {
    it: 'a wrong version: the action notes another one',
    annotations: { 'xfer-interface': 1 },
    exit: 5,
    code: 'ACTION_VERSION',
    says: /does not fit this xfer: its interface version is 1, not 2\.$/,
    advises: 'xfer deploy',
  },
  {
    it: 'the action is missing',
    undeployed: true,
    exit: 5,
    code: 'ACTION_NOT_DEPLOYED',
    says: /^The action xfer\/copy-range is not deployed on \S+\.$/,
    advises: 'xfer deploy',
  },
  {
    it: 'a wrong key',
    env: { AUTH: '23bc46b1-71f6-4ed5-8c54-816aa4f8c502:wrong' },
    exit: 5,
    code: 'PLATFORM_KEY_REFUSED',
    says: /^The OpenWhisk platform at \S+ refuses the key \(HTTP 401\)\.$/,
    advises: 'AUTH',
  },
]
