'use strict'

/**
 * What credentials need for an operation: a role of Azure, or permissions of a SAS.
 * https://learn.microsoft.com/azure/storage/blobs/assign-azure-role-data-access
 */

const READER = 'Storage Blob Data Reader'
const CONTRIBUTOR = 'Storage Blob Data Contributor'
const OWNER = 'Storage Blob Data Owner'

/** By the kind of operation: the smallest role, and the letters of `sp`. */
const NEEDS = {
  read: { role: READER, sas: 'r' },
  list: { role: READER, sas: 'l' },
  // A SAS of the account alone.
  account: { role: READER, sas: 'l' },
  write: { role: CONTRIBUTOR, sas: 'cw' },
  remove: { role: CONTRIBUTOR, sas: 'd' },
  // Tags are in no smaller role.
  tags: { role: OWNER, sas: 't' },
  delegate: { role: 'Storage Blob Delegator', sas: '' },
}

/** @typedef {keyof typeof NEEDS} Kind */

/**
 * @param {Kind} kind
 * @param {'source' | 'destination'} side
 * @param {string} [credentials] their kind: a SAS has permissions, and no role
 * @returns {{ permission: string, needs: string, needsForTags: string, needsToClear: string }} facts of an error
 */
function rolesOf(kind, side, credentials) {
  const { role, sas } = NEEDS[kind]
  const tags = phrase('tags')
  return {
    permission: credentials === 'sas' && sas !== '' ? `sp=${sas} of the SAS` : role,
    needs: `${phrase(kind)} on the ${side} ${kind === 'account' ? 'account' : 'container'}`,
    needsForTags: tags,
    needsToClear: `${phrase('list')} on the container`,
  }
}

/** @param {Kind} kind */
function phrase(kind) {
  const { role, sas } = NEEDS[kind]
  return `the role ${role}${sas === '' ? '' : ` (or a SAS with sp=${sas})`}`
}

module.exports = { rolesOf }
