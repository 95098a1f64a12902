'use strict'

const { ServiceError } = require('../common/send')

/**
 * The errors of S3: one class, and one table of code → status and message.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 *
 * @type {Record<string, [status: number, message: string]>}
 */
const ERRORS = {
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'Error parsing the query-string authentication parameters.'],
  BadDigest: [400, 'The Content-MD5 you specified did not match what we received.'],
  BadRequest: [400, 'Bad Request'],
  BucketAlreadyOwnedByYou: [409, 'Your previous request to create the named bucket succeeded and you already own it.'],
  ConditionalRequestConflict: [409, 'A conflicting conditional operation is in progress against this resource.'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  ExcessHeaderValues: [400, 'Requests cannot specify both x-amz and x-goog headers.'],
  ExpiredToken: [400, 'The provided token has expired.'],
  IllegalLocationConstraintException: [400, 'The location constraint is incompatible with this endpoint.'],
  IncompleteBody: [400, 'The request body terminated unexpectedly'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidChunkSizeError: [403, 'Only the last chunk is allowed to have a size less than 8192 bytes'],
  InvalidDigest: [400, 'The Content-MD5 you specified was invalid.'],
  InvalidEncryptionAlgorithmError: [400, 'The encryption request that you specified is not valid.'],
  InvalidLocationConstraint: [400, 'The specified location-constraint is not valid'],
  InvalidObjectState: [403, 'The bytes of this object were not kept'],
  InvalidPart: [400, 'One or more of the specified parts could not be found.'],
  InvalidPartNumber: [416, 'The requested partnumber is not satisfiable'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order. Parts must be ordered by part number.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidStorageClass: [400, 'The storage class you specified is not valid'],
  InvalidTag: [400, 'The tag provided was not a valid tag.'],
  InvalidToken: [400, 'The provided token is malformed or otherwise invalid.'],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedTrailerError: [400, 'The request contained trailing data that was not well-formed.'],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not validate against our published schema'],
  MaxMessageLengthExceeded: [400, 'Your request was too big.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [404, 'The specified upload does not exist.'],
  NoSuchVersion: [404, 'The specified version does not exist.'],
  NotImplemented: [501, 'A header you provided implies functionality that is not implemented'],
  ObjectNotInActiveTierError: [403, 'The source object of the COPY action is not in the active tier'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  SignatureDoesNotMatch: [403, 'The request signature we calculated does not match the signature you provided.'],
  SlowDown: [503, 'Please reduce your request rate.'],
  TooManyRequests: [429, 'Please reduce your request rate.'],
  XAmzContentSHA256Mismatch: [400, "The provided 'x-amz-content-sha256' header does not match what was computed."],
}

/** The errors that fault rules mean by a status. */
const USUAL = {
  403: 'AccessDenied',
  404: 'NoSuchKey',
  409: 'ConditionalRequestConflict',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'SlowDown',
}

/** An argument that is refused. @param {string} name @param {string | undefined} value @param {string} [message] */
const badArgument = (name, value, message) =>
  new S3Error('InvalidArgument', { message, ArgumentName: name, ArgumentValue: value })

/** A request that is refused. @param {string} message */
const badRequest = message => new S3Error('InvalidRequest', { message })

/** An error answer, with the codes of the table. */
class S3Error extends ServiceError {
  /** @param {string} code one of the table; another one needs `status` @param {import('../common/send').ErrorFacts} [facts] */
  constructor(code, facts = {}) {
    super(ERRORS, code, facts)
  }
}

module.exports = { S3Error, USUAL, badArgument, badRequest }
