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
  },
  {
    it: 'always 500, for no container can be had',
    platform: { node: '/nonexistent/node' },
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: the action failed on \S+: Failed to provision resources to run the action\.$/,
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
    it: '502: an application error in the words of the action',
    faults: [{ answer: { body: { error: 'This action has interface version 2, and was asked for version 1.' } } }],
    exit: 5,
    code: 'ACTION_VERSION',
    says: /does not fit this xfer: This action has interface version 2, and was asked for version 1\.$/,
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
    it: '502: the action always exits',
    action: 'exports.main = () => process.exit(1)',
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: .*exited/,
  },
  {
    it: '502: always out of memory, really',
    action: 'exports.main = () => { const all = []; for (;;) all.push(Buffer.alloc(16e6, 1)) }',
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: a function on \S+ ran out of memory\.$/,
  },
  {
    it: '502: always out of time, really',
    action: 'exports.main = () => new Promise(() => {})',
    limits: { timeout: 500 },
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: a function on \S+ ran into its time limit/,
  },
  {
    it: '502: the action does not load',
    action: 'throw new Error("no such module")',
    exit: 5,
    code: 'ACTION_BROKEN',
    says: /no such module/,
  },
  {
    it: 'a wrong version: the action notes another one',
    annotations: { 'xfer-interface': 2 },
    exit: 5,
    code: 'ACTION_VERSION',
    says: /does not fit this xfer: its interface version is 2, not 1\.$/,
  },
  {
    it: 'a wrong version: the action answers another one',
    action: 'exports.main = () => ({ version: 0, outcomes: [] })',
    exit: 5,
    code: 'ACTION_VERSION',
    says: /does not fit this xfer: its interface version is 0, not 1\.$/,
  },
  {
    it: 'the action is missing',
    undeployed: true,
    exit: 5,
    code: 'ACTION_NOT_DEPLOYED',
    says: /^The action xfer\/copy-range is not deployed on \S+\.$/,
  },
  {
    it: 'the action is taken away while it is needed',
    faults: [{ nth: 3, status: 404 }],
    exit: 5,
    code: 'ACTION_NOT_DEPLOYED',
    says: /^The action xfer\/copy-range is not deployed on \S+\.$/,
  },
  {
    it: 'a wrong key',
    env: { AUTH: '23bc46b1-71f6-4ed5-8c54-816aa4f8c502:wrong' },
    exit: 5,
    code: 'PLATFORM_KEY_REFUSED',
    says: /^The OpenWhisk platform at \S+ refuses the key \(HTTP 401\)\.$/,
  },
  {
    it: "somebody else's namespace",
    env: { NAMESPACE: 'somebody' },
    exit: 5,
    code: 'PLATFORM_KEY_REFUSED',
    says: /\(HTTP 403\)\.$/,
  },
]
