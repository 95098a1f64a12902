'use strict'

/**
 * Tries what the credentials may do, for `xfer doctor`. Every try is a request that Azure refuses once it has allowed it: a
 * block with a wrong MD5, a list with a block that is not there, a blob that is not there. So nothing is left, and nothing changed.
 */

const { createHash, randomBytes } = require('node:crypto')
const { writeXml } = require('../xml')

/** @typedef {import('../contract').Right} Right */
/** @typedef {import('./control').Call} Call */

const BODY = Buffer.from('xfer doctor')
const NOWHERE = '"0x0"'

/**
 * @typedef {object} Try
 * @property {'source' | 'destination'} [of] absent: of both
 * @property {true} [required] a copy cannot do without
 * @property {true} [own] with the key itself; else with one that is not there
 * @property {string} operation
 * @property {() => Omit<Call, 'key'>} [asked]
 * @property {true} [noKey]
 */

/** @type {Array<Pick<Right, 'what' | 'without'> & Try>} */
const TRIES = [
  {
    what: 'write blocks',
    of: 'destination',
    required: true,
    own: true,
    without: 'nothing is copied',
    operation: 'Put Block',
    asked: () => ({
      body: BODY,
      query: { blockid: Buffer.from(randomBytes(24).toString('hex')).toString('base64') },
      headers: { 'content-md5': createHash('md5').update('something else').digest('base64') },
    }),
  },
  {
    what: 'commit them',
    of: 'destination',
    required: true,
    own: true,
    without: 'nothing is copied',
    operation: 'Put Block List',
    asked: () => ({
      headers: { 'content-type': 'application/xml', 'if-match': NOWHERE },
      body: writeXml({ BlockList: { Uncommitted: Buffer.from('not there').toString('base64') } }),
    }),
  },
  {
    what: 'read',
    of: 'destination',
    own: true,
    operation: 'Get Blob Properties',
    without: 'a copy cannot be resumed, nor compared with what is there',
  },
  {
    what: 'list',
    without: 'no prefix is copied',
    operation: 'List Blobs',
    noKey: true,
    asked: () => ({ query: { maxresults: '1', prefix: '' } }),
  },
  { what: 'read tags', of: 'source', without: 'tags are not copied', operation: 'Get Blob Tags' },
  {
    what: 'write tags',
    of: 'destination',
    without: 'tags are not copied',
    operation: 'Set Blob Tags',
    asked: () => ({ headers: { 'content-type': 'application/xml' }, body: writeXml({ Tags: { TagSet: {} } }) }),
  },
  { what: 'delete', of: 'destination', without: 'xfer sync --delete deletes nothing', operation: 'Delete Blob' },
]

/** What a try is answered after the credentials were found to be enough. */
const ALLOWED = new Set(['NO_SUCH_KEY', 'DESTINATION_EXISTS', 'PART_CORRUPTED'])
/** The block that is not there, and an id of another length than those of the blob. */
const ALLOWED_BUT_INVALID = new Set(['InvalidBlockList', 'InvalidBlobOrBlock'])

/**
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts'>} control
 * @returns {NonNullable<import('../contract').Store['rights']>}
 */
function createRights({ call, facts: { side } }) {
  return async (key, { signal } = {}) => {
    const folder = key.slice(0, key.lastIndexOf('/') + 1)
    const absent = `${folder}xfer-doctor-${randomBytes(8).toString('hex')}`
    const own = key === folder ? absent : key
    /** @type {Right[]} */
    const rights = []
    for (const { what, of = side, without, required = false, own: ofKey, operation, asked, noKey } of TRIES) {
      if (of !== side) continue
      const tried = { ...(!noKey && { key: ofKey ? own : absent }), ...asked?.() }
      const refusal = await call(operation, tried, signal).then(
        () => undefined,
        error => error,
      )
      const { code, facts } = refusal ?? {}
      const allowed = !refusal || ALLOWED.has(code) || ALLOWED_BUT_INVALID.has(facts?.storeCode)
      // What no other blob would be refused either is a failure of its own, but for tags, which some accounts do not have.
      if (!allowed && code !== 'ACCESS_DENIED' && !(code === 'STORE_REFUSED' && /tags/.test(what))) throw refusal
      if (!allowed && required) throw refusal
      rights.push({ what, allowed, without })
    }
    return rights
  }
}

module.exports = { createRights }
