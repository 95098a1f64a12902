'use strict'

/**
 * Translates the errors of Azure Blob Storage: takes the status and the store's error code, and returns a code of lib/errors
 * and facts (`RefusalFacts` of the contract). And what Azure calls what every store has. Outside this folder nobody knows these codes
 * and words. Pure.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes
 * https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes
 */

const { XferError, wordsOfRefusal } = require('../../errors')
const { classify, codeOf, factsIn, termsOfSide } = require('../common')

/** Codes that say other than their status, by what they mean. @type {import('../common/client').CodeTable} */
const CODES = {
  NO_SUCH_BUCKET: ['ContainerNotFound', 'ContainerBeingDeleted'],
  // 409, or 412, or 304 of a condition.
  DESTINATION_EXISTS: ['BlobAlreadyExists', 'ConditionNotMet'],
  SOURCE_CHANGED: ['SourceConditionNotMet'],
  // Wrong key and old signature look the same: `signsAnew` tells them apart.
  CREDENTIALS_REFUSED: ['AuthenticationFailed', 'InvalidAuthenticationInfo'],
  ACCESS_DENIED: ['ContainerDisabled', 'PublicAccessNotPermitted'],
  STORE_THROTTLED: ['ServerBusy'],
  ARCHIVED: ['BlobArchived', 'BlobBeingRehydrated'],
  NO_SUCH_STORAGE_CLASS: ['AccessTierNotSupportedForBlobType'],
  PART_CORRUPTED: ['Md5Mismatch', 'Crc64Mismatch'],
}

/** Why a request was refused, for codes that do not say it themselves; to follow a colon. @type {Record<string, string>} */
const REASONS = {
  InvalidBlockList:
    'it does not have the blocks any more: somebody else wrote the blob meanwhile, or they are older than a week',
  LeaseIdMissing: 'the blob is leased, and only the holder of the lease may change it',
  InvalidBlobType: 'there is an append blob or a page blob of this name',
  InvalidBlobOrBlock: 'the blob has uncommitted blocks of another program, whose ids have another length',
  InvalidBlockId: 'the blob has uncommitted blocks of another program, whose ids have another length',
  BlockCountExceedsLimit: 'the blob has 100,000 uncommitted blocks already',
  BlobUsesCustomerSpecifiedEncryption: "the blob is encrypted with a customer's own key, which xfer cannot send",
  PathConflict: 'a folder of the hierarchical namespace has this name',
  ResourceTypeMismatch: 'a folder of the hierarchical namespace has this name',
}

const WAIT_FOR_BLOCKS = 'Copy to another name, or wait: Azure removes such blocks a week after the last one.'

/** What to do where the role alone does not help. @type {Record<string, string>} */
const ADVICE = {
  KeyBasedAuthenticationNotPermitted:
    'The account refuses account keys: log in with Microsoft Entra ID (az login), or use a user delegation SAS.',
  AuthorizationSourceIPMismatch:
    'The SAS does not allow the IP address of this request (sip): make one without sip, or with the addresses of what copies.',
  AuthorizationProtocolMismatch: 'The SAS allows HTTPS only (spr): use an endpoint that begins with https://.',
  AccountIsDisabled: 'The storage account is disabled: enable it in the Azure portal, then repeat the command.',
  LeaseIdMissing: 'Break the lease (az storage blob lease break), or wait until it ends.',
  InvalidBlobType: 'Delete that blob first, or copy to another name.',
  InvalidBlobOrBlock: WAIT_FOR_BLOCKS,
  InvalidBlockId: WAIT_FOR_BLOCKS,
  BlockCountExceedsLimit: WAIT_FOR_BLOCKS,
  BlobUsesCustomerSpecifiedEncryption: 'Use a tool that can send that key, such as azcopy.',
  PathConflict: 'Rename the folder, or name another blob.',
  ResourceTypeMismatch: 'Rename the folder, or name another blob.',
}

/** Of a write. https://learn.microsoft.com/azure/storage/blobs/archive-blob */
const REPLACES = {
  replaces: /** @type {const} */ (true),
  advice: 'Delete it first with xfer rm, and repeat the command.',
}

const NEW_SAS = 'Make a SAS that lasts longer, set it, and go on.'

/** @type {Record<string, readonly string[]>} */
const FACTS = {
  noSuchKey: ['BlobNotFound'],
  partsDiffer: ['InvalidBlockList'],
  // Refusals of a completion that do not concern the bytes of the parts.
  ofTheRequest: [
    ...['InvalidHeaderValue', 'InvalidQueryParameterValue', 'InvalidXmlDocument', 'InvalidMetadata'],
    ...['MetadataTooLarge', 'BlockListTooLong', 'InvalidInput', 'UnsupportedHeader'],
    'FeatureNotYetSupportedForHierarchicalNamespaceAccounts',
  ],
}

const READER = 'Storage Blob Data Reader'
const CONTRIBUTOR = 'Storage Blob Data Contributor'
const OWNER = 'Storage Blob Data Owner'

/**
 * What credentials need, by the kind of operation: the smallest role, and the letters of `sp` of a SAS.
 * https://learn.microsoft.com/azure/storage/blobs/assign-azure-role-data-access
 */
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

/** @typedef {keyof typeof NEEDS} RefusalKind */

/**
 * @param {{ status?: number, storeCode?: string }} answer
 * @returns {import('../../types').XferErrorCode}
 */
function classifyAnswer(answer) {
  // Leases answer 412 too.
  return classify(answer, CODES, { STORE_REFUSED: Object.keys(REASONS) })
}

/**
 * @param {{ status?: number, storeCode?: string }} answer
 * @param {RefusalKind} kind of the request; a store that reads another blob may be refused for that one: then it is a read
 * @returns {import('../contract').RefusalFacts & { reason?: string, advice?: string, replaces?: true }} replaces: it would have replaced a blob
 */
function meaningOf({ storeCode = '' }, kind) {
  const [reason, advice] = [REASONS, ADVICE].map(of => (Object.hasOwn(of, storeCode) ? of[storeCode] : undefined))
  return {
    ...factsIn(FACTS, storeCode),
    ...(reason && { reason }),
    ...(advice && { advice }),
    ...(kind === 'write' && CODES.ARCHIVED?.includes(storeCode) && REPLACES),
  }
}

/**
 * The store's `explain`: translates the failed answer to a data request, sent by a function or by this machine.
 *
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 * @param {boolean} [expired] the SAS with which the request was signed has expired: the code does not tell
 * @returns {import('../../types').XferError}
 */
function explainAnswer({ of, status, storeCode, body, checksum: _, ...said }, facts, expired = false) {
  const code = storeCode ?? codeIn(body)
  const answer = { status, storeCode: code }
  const known = ofData(of, classifyAnswer(answer), status)
  const kind = of === 'write' ? 'write' : 'read'
  const reason = said.reason ?? wordsOfRefusal(/<Message>([^<]+)</.exec(body ?? '')?.[1] ?? '')
  return new XferError(expired && known === 'CREDENTIALS_REFUSED' ? 'CREDENTIALS_EXPIRED' : known, {
    ...facts,
    ...answer,
    ...said,
    ...(reason && { reason }),
    ...meaningOf(answer, kind),
    ...(expired && { advice: NEW_SAS }),
    ...rolesOf(kind, facts.side),
  })
}

/** @param {'read' | 'write'} of @param {string} code @param {number | undefined} status */
function ofData(of, code, status) {
  // A write needs no blob: what it does not find is the container.
  if (of === 'write') return code === 'NO_SUCH_KEY' ? 'NO_SUCH_BUCKET' : code
  // A read names the ETag and, for a part, a range.
  return code === 'DESTINATION_EXISTS' || status === 416 ? 'SOURCE_CHANGED' : code
}

/** @param {string | undefined} body the beginning of an error's document */
function codeIn(body = '') {
  return codeOf(/<Code>\s*([\w.-]{1,64})\s*<\/Code>/.exec(body)?.[1])
}

/**
 * @param {RefusalKind} kind
 * @param {'source' | 'destination'} side
 * @param {string} [credentials] their kind: a SAS has permissions, and no role
 * @returns {{ permission: string, needs: string, needsForTags: string, needsToClear: string }} facts of an error
 */
function rolesOf(kind, side, credentials) {
  const { role, sas } = NEEDS[kind]
  return {
    permission: credentials === 'sas' && sas !== '' ? `sp=${sas} of the SAS` : role,
    needs: `${phrase(kind)} on the ${side} ${kind === 'account' ? 'account' : 'container'}`,
    needsForTags: phrase('tags'),
    needsToClear: `${phrase('list')} on the container`,
  }
}

/** @param {RefusalKind} kind */
function phrase(kind) {
  const { role, sas } = NEEDS[kind]
  return `the role ${role}${sas === '' ? '' : ` (or a SAS with sp=${sas})`}`
}

/** What the credentials consist of, by their kind. */
const CREDENTIALS = {
  sharedKey: 'the account key',
  sas: 'the SAS',
  token: 'the account that is logged in, its roles',
  anonymous: 'the container, which has to be public',
}

/**
 * Azure's words in sentences about any store (`StoreTerms` of the contract).
 *
 * @param {'source' | 'destination'} side
 * @param {string | null} [endpointFrom] what sets the endpoint, such as an option; null: nothing does; undefined: not known yet
 * @param {keyof typeof CREDENTIALS} [kind] of the credentials; undefined: not known yet
 * @returns {import('../contract').StoreTerms}
 */
function termsOf(side, endpointFrom, kind = 'sharedKey') {
  const variable = side === 'source' ? 'XFER_SOURCE' : 'XFER_DEST'
  const ways =
    'Set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING ' +
    `(${variable}_AZURE_STORAGE_KEY, … for the ${side} alone), or log in with az login`
  const how = { ways, checks: 'AZURE_STORAGE_*', usual: 'Azure', unsigned: kind === 'anonymous' }
  const common = termsOfSide(side, endpointFrom, how)
  return {
    container: 'container',
    part: 'block',
    ...common,
    address: `${common.endpointInUse}, the account`,
    credentials: CREDENTIALS[kind],
    storageClass: 'Hot',
    storageClasses: ['Hot', 'Cool', 'Cold', 'Archive'],
    restoreAdvice: 'Rehydrate it first: set its tier to Hot or Cool, wait some hours, and repeat the command.',
  }
}

module.exports = { NEW_SAS, WAIT_FOR_BLOCKS, classifyAnswer, explainAnswer, meaningOf, rolesOf, termsOf }
