'use strict'

const { ServiceError } = require('../common/send')

/**
 * The errors of Azure Blob: one class, and one table of code → status and message.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes
 *
 * @type {Record<string, [status: number, message: string]>}
 */
const ERRORS = {
  AuthenticationFailed: [403, 'Server failed to authenticate the request.'],
  AuthorizationFailure: [403, 'This request is not authorized to perform this operation.'],
  AuthorizationPermissionMismatch: [403, 'This request is not authorized with this permission.'],
  AuthorizationProtocolMismatch: [403, 'This request is not authorized to perform this operation using this protocol.'],
  AuthorizationResourceTypeMismatch: [403, 'This request is not authorized with this resource type.'],
  BlobAlreadyExists: [409, 'The specified blob already exists.'],
  BlobArchived: [409, 'This operation is not permitted on an archived blob.'],
  BlobNotFound: [404, 'The specified blob does not exist.'],
  BlockListTooLong: [400, 'The block list may not contain more than 50,000 blocks.'],
  CannotVerifyCopySource: [403, 'Could not verify the copy source within the specified time.'],
  ConditionHeadersNotSupported: [400, 'Condition headers are not supported.'],
  ConditionNotMet: [412, 'The condition specified using HTTP conditional header(s) is not met.'],
  ContainerAlreadyExists: [409, 'The specified container already exists.'],
  ContainerNotFound: [404, 'The specified container does not exist.'],
  Crc64Mismatch: [400, 'The CRC64 value did not match with the one calculated by the server.'],
  FeatureNotYetSupportedForHierarchicalNamespaceAccounts: [409, 'The feature is not yet supported.'],
  InternalError: [500, 'Server encountered an internal error. Please try again after some time.'],
  InvalidAuthenticationInfo: [401, 'Authentication information is not given in the correct format.'],
  InvalidBlobOrBlock: [400, 'The specified blob or block content is invalid.'],
  InvalidBlockList: [400, 'The specified block list is invalid.'],
  InvalidHeaderValue: [400, 'The value for one of the HTTP headers is not in the correct format.'],
  InvalidInput: [400, 'One of the request inputs is not valid.'],
  InvalidMd5: [400, 'The MD5 value specified in the request is invalid.'],
  InvalidMetadata: [400, 'The metadata specified is invalid. It has characters that are not permitted.'],
  InvalidQueryParameterValue: [400, 'Value for one of the query parameters specified in the request URI is invalid.'],
  InvalidRange: [416, 'The range specified is invalid for the current size of the resource.'],
  InvalidResourceName: [400, 'The specifed resource name contains invalid characters.'],
  InvalidUri: [400, 'The requested URI does not represent any resource on the server.'],
  InvalidXmlDocument: [400, 'XML specified is not syntactically valid.'],
  Md5Mismatch: [400, 'The MD5 value did not match with the one calculated by the server.'],
  MetadataTooLarge: [400, 'The metadata specified exceeds the maximum permissible limit (8KB).'],
  MissingContentLengthHeader: [411, 'Content-Length HTTP header was not specified.'],
  MissingRequiredHeader: [400, 'An HTTP header that is mandatory for this request is not specified.'],
  MissingRequiredQueryParameter: [400, 'A query parameter that is mandatory for this request is not specified.'],
  NoAuthenticationInformation: [401, 'Server failed to authenticate the request.'],
  OperationTimedOut: [500, 'Operation could not be completed within the specified time.'],
  OutOfRangeQueryParameterValue: [400, 'The value of a query parameter is outside the permissible range.'],
  RequestBodyTooLarge: [413, 'The request body is too large and exceeds the maximum permissible limit.'],
  ResourceNotFound: [404, 'The specified resource does not exist.'],
  ResourceTypeMismatch: [409, 'The specified resource type does not match the type of the existing resource.'],
  ServerBusy: [503, 'The server is busy.'],
  SourceConditionNotMet: [412, 'The source condition specified using HTTP conditional header(s) is not met.'],
  TooManyRequests: [429, 'The request is being throttled.'],
  UnsupportedHttpVerb: [405, 'The resource doesn’t support the specified HTTP verb.'],
}

/** An error answer, with the codes of the table. */
class AzureError extends ServiceError {
  /** @param {string} code one of the table; another one needs `status` @param {import('../common/send').ErrorFacts} [facts] */
  constructor(code, facts = {}) {
    super(ERRORS, code, facts)
    this.headers['x-ms-error-code'] = code
  }
}

/** A header whose value is refused. @param {string} name @param {string} [value] */
const badHeader = (name, value) => new AzureError('InvalidHeaderValue', { HeaderName: name, HeaderValue: value })

/** A parameter whose value is refused. @param {string} name @param {string} [value] */
const badParameter = (name, value) =>
  new AzureError('InvalidQueryParameterValue', { QueryParameterName: name, QueryParameterValue: value })

/** Why nobody is believed. @param {string} detail */
const unauthenticated = detail => new AzureError('AuthenticationFailed', { AuthenticationErrorDetail: detail })

module.exports = { AzureError, unauthenticated, badHeader, badParameter }
