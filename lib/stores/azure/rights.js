'use strict'

/**
 * Tries what the credentials may do, for `xfer doctor`. Every try is a request that Azure refuses once it has allowed it: a
 * block with a wrong MD5, a list with a block that is not there, a blob that is not there. So nothing is left, and nothing changed.
 */

const { createHash, randomBytes } = require('node:crypto')

/** @typedef {import('../contract').Right} Right */
/** @typedef {import('./control').Call} Call */

const BODY = Buffer.from('xfer doctor')
const NOWHERE = '"0x0"'

/** @type {Array<Pick<Right, 'what' | 'without'> & { of: 'source' | 'destination' | 'both', required?: true, own?: true, call: (key: string) => Call }>} own: with the
 *  key itself; else with one that is not there */
const TRIES = [
  {
    what: 'write blocks',
    of: 'destination',
    required: true,
    own: true,
    without: 'nothing is copied',
    // https://learn.microsoft.com/rest/api/storageservices/put-block
    call: key => ({
      ...{ operation: 'Put Block', kind: 'write', method: 'PUT', key, statuses: [201], body: BODY },
      query: { comp: 'block', blockid: Buffer.from(randomBytes(24).toString('hex')).toString('base64') },
      headers: { 'content-md5': createHash('md5').update('something else').digest('base64') },
    }),
  },
  {
    what: 'commit them',
    of: 'destination',
    required: true,
    own: true,
    without: 'nothing is copied',
    // https://learn.microsoft.com/rest/api/storageservices/put-block-list
    call: key => ({
      ...{ operation: 'Put Block List', kind: 'write', method: 'PUT', key, statuses: [201] },
      query: { comp: 'blocklist' },
      headers: { 'content-type': 'application/xml', 'if-match': NOWHERE },
      body: Buffer.from(
        `<?xml version="1.0" encoding="utf-8"?><BlockList><Uncommitted>${Buffer.from('not there').toString('base64')}</Uncommitted></BlockList>`,
      ),
    }),
  },
  {
    what: 'read',
    of: 'destination',
    own: true,
    without: 'a copy cannot be resumed, nor compared with what is there',
    call: key => ({ operation: 'Get Blob Properties', kind: 'read', method: 'HEAD', key, statuses: [200] }),
  },
  {
    what: 'list',
    of: 'both',
    without: 'no prefix is copied',
    call: () => ({
      ...{ operation: 'List Blobs', kind: 'list', method: 'GET', statuses: [200] },
      query: { restype: 'container', comp: 'list', maxresults: '1', prefix: '' },
    }),
  },
  {
    what: 'read tags',
    of: 'source',
    without: 'tags are not copied',
    call: key => ({
      operation: 'Get Blob Tags',
      kind: 'tags',
      method: 'GET',
      key,
      query: { comp: 'tags' },
      statuses: [200],
    }),
  },
  {
    what: 'write tags',
    of: 'destination',
    without: 'tags are not copied',
    call: key => ({
      ...{ operation: 'Set Blob Tags', kind: 'tags', method: 'PUT', key, query: { comp: 'tags' }, statuses: [204] },
      headers: { 'content-type': 'application/xml' },
      body: Buffer.from('<?xml version="1.0" encoding="utf-8"?><Tags><TagSet></TagSet></Tags>'),
    }),
  },
  {
    what: 'delete',
    of: 'destination',
    without: 'xfer sync --delete deletes nothing',
    call: key => ({ operation: 'Delete Blob', kind: 'remove', method: 'DELETE', key, statuses: [202] }),
  },
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
    for (const { what, of, without, required = false, own: ofKey, call: make } of TRIES) {
      if (of !== 'both' && of !== side) continue
      const refusal = await call(make(ofKey ? own : absent), signal).then(
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
