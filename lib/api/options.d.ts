/** The options of the library. Made by `npm run docs` from the table in lib/options; do not edit. */

import type { StoreCredentials, StoreCredentialsProvider } from './client'
import type { XferError } from './errors'
import type { DownloadEvent, PrefixVerifyEvent, VerifyEvent } from './reading'
import type { AskEvent, CopyEvent, PrefixEvent } from './events'
import type { PrefixUsage } from './listings'
import type { Checked, CleanedUpload, FoundObjects, JobEvent, ProbeEvent, RemovedObject, WorkEvent } from './reports'

/** How the source is reached. */
export interface SourceOptions {
  /** AWS profile of the source */
  profile?: string
  /** endpoint of the source */
  endpointUrl?: string
  /** region of the source */
  region?: string
  /**
   * read without credentials
   * @default false
   */
  noSignRequest?: boolean
  /**
   * pay for reading from a requester-pays bucket
   * @default false
   */
  requestPayer?: boolean
  /** access keys of the source, or a function that returns them and is called again before they expire; never journalled */
  credentials?: StoreCredentials | StoreCredentialsProvider
  /** read this version of the source, not the newest */
  versionId?: string
  /** file with the customer key (SSE-C) of the source: 32 bytes, or their base64 */
  sseCKeyFile?: string
  /**
   * follow symbolic links below the source, also out of it (files)
   * @default false
   */
  followLinks?: boolean
  /** headers for the source (https://), such as { authorization: 'Bearer …' }; secret, never journalled */
  header?: Record<string, string> | string[]
  /** file of certificates (PEM) to trust for the source */
  caBundle?: string
  /** certificates (PEM) to trust for the source, in addition to the usual ones */
  ca?: string | Uint8Array | Array<string | Uint8Array>
  /** proxy of this machine for the source, before HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; false: none; functions use their own environment's */
  proxy?: string | URL | false
}

/** How the destination is reached. */
export interface DestinationOptions {
  /** AWS profile of the destination */
  profile?: string
  /** endpoint of the destination */
  endpointUrl?: string
  /** region of the destination */
  region?: string
  /** access keys of the destination, or a function that returns them and is called again before they expire; never journalled */
  credentials?: StoreCredentials | StoreCredentialsProvider
  /** file with the customer key (SSE-C) of the destination: 32 bytes, or their base64 */
  sseCKeyFile?: string
  /** file of certificates (PEM) to trust for the destination */
  caBundle?: string
  /** certificates (PEM) to trust for the destination, in addition to the usual ones */
  ca?: string | Uint8Array | Array<string | Uint8Array>
  /** proxy of this machine for the destination, before HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; false: none; functions use their own environment's */
  proxy?: string | URL | false
}

/** What a copy has in addition to its bytes. */
export interface AttributeOptions {
  /**
   * copy: the source's content headers and user metadata, except those that other options set; replace: only what options set
   * @default 'copy'
   */
  metadata?: 'copy' | 'replace'
  /** override the source's Content-Type, such as text/csv */
  contentType?: string
  /** override the source's headers, such as { 'Cache-Control': 'max-age=60', Expires: '2027-01-31' } */
  headers?: Record<string, string> | string[]
  /** entries of user metadata to set, such as { color: 'blue' } */
  metadataSet?: Record<string, string> | string[]
  /**
   * copy: the source's tags; none: no tags
   * @default 'copy'
   */
  tags?: 'copy' | 'none'
  /**
   * copy: the source's, if the destination has it; or the name of a class
   * @default 'copy'
   */
  storageClass?: string
  /**
   * encrypt the copy with AES256, aws:kms or aws:kms:dsse
   * @default the bucket's own setting
   */
  sse?: 'AES256' | 'aws:kms' | 'aws:kms:dsse'
  /**
   * key for the encryption (sse) with aws:kms and aws:kms:dsse
   * @default the store's own key
   */
  sseKmsKeyId?: string
  /**
   * keep the modification time in the user metadata mtime, as rclone does
   * @default false
   */
  mtime?: boolean
  /** the copy ends by itself after this time, such as '90s' or '7d' (redis://) */
  ttl?: string
}

/** What every call has. */
export interface EnvironmentOptions {
  /**
   * where jobs are kept: a folder, or a prefix in a store, where any machine finds them
   * @default XFER_STATE, else the home folder
   */
  state?: string
  /** path of a file of prices (YAML or JSON) that count before the built-in ones */
  prices?: string
  /**
   * environment variables to use instead of those of the process
   * @default process.env
   */
  env?: Record<string, string | undefined>
}

/** How a store is reached, and waited for. */
export interface RequestOptions {
  /**
   * how long to wait for a store or a platform that stops answering, in seconds or with a unit such as 1h30m
   * @default '10m'
   */
  outageTimeout?: string | number
  /**
   * file of certificates (PEM) to trust in addition to the usual ones
   * @default AWS_CA_BUNDLE
   */
  caBundle?: string
  /**
   * environment variables to use instead of those of the process
   * @default process.env
   */
  env?: Record<string, string | undefined>
}

/** How a call is ended. */
export interface StopOptions {
  /** ends the call when it is aborted */
  signal?: AbortSignal
  /**
   * environment variables to use instead of those of the process
   * @default process.env
   */
  env?: Record<string, string | undefined>
}

/** Which platform is meant. */
export interface PlatformOptions {
  /**
   * OpenWhisk host
   * @default APIHOST, or that of ~/.wskprops
   */
  apihost?: string
  /**
   * function of AWS Lambda: a name, name:alias or an ARN, which tells its region
   * @default 'xfer-copy-range'
   */
  functionName?: string
  /**
   * environment variables to use instead of those of the process
   * @default process.env
   */
  env?: Record<string, string | undefined>
}

/** How bytes are moved. */
export interface TransferOptions extends RequestOptions, PlatformOptions {
  /**
   * maximum number of invocations at a time; the engine may allow fewer
   * @default 1000
   */
  concurrency?: string | number
  /**
   * maximum rate, in MiB a second or with a unit such as 500K or 10MB/s; none: no limit
   * @default 'none'
   */
  bandwidth?: string | number
  /**
   * how much of the objects this process holds at a time, in MiB or with a unit such as 256M
   * @default a quarter of the machine's or the container's, at most 512 MiB
   */
  memory?: string | number
  /**
   * how often a failed part is tried again
   * @default 3
   */
  retries?: string | number
  /**
   * what moves the bytes: openwhisk, lambda, http, local; auto: the platform that is configured, else this machine
   * @default 'auto'
   */
  engine?: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
  /**
   * addresses of workers, or of a balancer before several
   * @default XFER_WORKERS
   */
  worker?: string | string[]
  /** options of the destination */
  destination?: DestinationOptions
}

/** How a copy is made. */
export interface WriteOptions extends EnvironmentOptions, TransferOptions {
  /**
   * only write the job into the state, and print its id: the runner, or a worker, runs it
   * @default false
   */
  detach?: boolean
  /**
   * take the job over at once: who has it is known to be dead
   * @default false
   */
  take?: boolean
  /**
   * server: the store copies by itself, or, if it can, reads the source from a URL that it is given; engine: the engine reads and writes; auto: server within one store, else engine
   * @default 'auto'
   */
  route?: 'auto' | 'server' | 'engine'
  /**
   * what to do with the parts of a copy that ends early: keep them for resume, or abort the upload
   * @default 'keep'
   */
  onFailure?: 'keep' | 'abort'
  /**
   * stop after so long, in seconds or with a unit such as 45m or 1h30m; the copy can be resumed
   * @default no limit
   */
  timeout?: string | number
  /** write what was done to each object to this new file, sealed: NDJSON, or CSV if it ends in .csv */
  manifestOut?: string
  /** sign the manifest that is written with this Ed25519 key (PEM) */
  sign?: string
  /**
   * do nothing, and resolve to what would be done
   * @default false
   */
  dryRun?: boolean
  /**
   * print at the end what the copy cost, by list prices
   * @default false
   */
  cost?: boolean
  /** copy nothing if the plan costs more, in US dollars; what has no known price does not count, and is named */
  maxCost?: number | string
  /** ends the call when it is aborted; what is copied by then is kept */
  signal?: AbortSignal
  /** take the size of a part, and how many at once, from this report of xfer probe, where no option says them */
  probe?: string
}

/** How one object is copied. */
export interface ObjectOptions extends TransferOptions {
  /**
   * size of a part, in MiB or with a unit such as 8M or 1.5GiB; match: the size of the source's parts; auto: xfer chooses a size
   * @default 100
   */
  chunk?: string | number
  /**
   * where jobs are kept: a folder, or a prefix in a store, where any machine finds them
   * @default XFER_STATE, else the home folder
   */
  state?: string
  /**
   * only write the job into the state, and print its id: the runner, or a worker, runs it
   * @default false
   */
  detach?: boolean
  /**
   * take the job over at once: who has it is known to be dead
   * @default false
   */
  take?: boolean
  /**
   * stop after so long, in seconds or with a unit such as 45m or 1h30m; the copy can be resumed
   * @default no limit
   */
  timeout?: string | number
  /** write nothing unless the source has this SHA-256; what is no stream is read once more for it, in order, by this machine */
  expectSha256?: string
  /** replace the destination only if it has this ETag */
  ifMatch?: string
  /**
   * do nothing, and resolve to what would be done
   * @default false
   */
  dryRun?: boolean
  /** ends the call when it is aborted; what is copied by then is kept */
  signal?: AbortSignal
  /** take the size of a part, and how many at once, from this report of xfer probe, where no option says them */
  probe?: string
}

/** Which objects below a prefix are meant. */
export interface SelectOptions extends RequestOptions {
  /** only objects modified after this: an age with a unit, such as 36h or 7d, or a date (UTC, unless it has an offset) */
  newerThan?: string
  /** only objects modified before this: an age with a unit, such as 36h or 7d, or a date (UTC, unless it has an offset) */
  olderThan?: string
  /** only objects of this size or larger, in MiB or with a unit such as 500K */
  minSize?: string | number
  /** only objects of this size or smaller, in MiB or with a unit such as 500K */
  maxSize?: string | number
}

/** Files with names of objects. */
export interface NamesOptions extends TransferOptions {
  /** only the names in this file, one per line; # begins a comment; -: standard input */
  filesFrom?: string
  /** the same, each name ended by NUL and taken as it is, as find -print0 writes them */
  filesFrom0?: string
  /** only the objects of this list, as it describes them: an S3 inventory, a manifest that xfer wrote, or another */
  manifest?: string
  /** write the names of objects that failed to this file, for filesFrom; the file is replaced */
  failures?: string
  /**
   * where jobs are kept: a folder, or a prefix in a store, where any machine finds them
   * @default XFER_STATE, else the home folder
   */
  state?: string
  /**
   * only write the job into the state, and print its id: the runner, or a worker, runs it
   * @default false
   */
  detach?: boolean
  /**
   * take the job over at once: who has it is known to be dead
   * @default false
   */
  take?: boolean
  /**
   * server: the store copies by itself, or, if it can, reads the source from a URL that it is given; engine: the engine reads and writes; auto: server within one store, else engine
   * @default 'auto'
   */
  route?: 'auto' | 'server' | 'engine'
  /**
   * what to do with the parts of a copy that ends early: keep them for resume, or abort the upload
   * @default 'keep'
   */
  onFailure?: 'keep' | 'abort'
  /**
   * stop after so long, in seconds or with a unit such as 45m or 1h30m; the copy can be resumed
   * @default no limit
   */
  timeout?: string | number
  /** write what was done to each object to this new file, sealed: NDJSON, or CSV if it ends in .csv */
  manifestOut?: string
  /** sign the manifest that is written with this Ed25519 key (PEM) */
  sign?: string
  /**
   * do nothing, and resolve to what would be done
   * @default false
   */
  dryRun?: boolean
  /** ends the call when it is aborted; what is copied by then is kept */
  signal?: AbortSignal
  /** take the size of a part, and how many at once, from this report of xfer probe, where no option says them */
  probe?: string
}

/** How a store is asked. */
export interface AskOptions extends RequestOptions, StopOptions {
  /**
   * how often a failed request is tried again
   * @default 3
   */
  retries?: string | number
  /** called with each event */
  onEvent?: (event: AskEvent) => void
}

/** The options of `copy`. */
export interface CopyOptions extends AttributeOptions, WriteOptions, ObjectOptions {
  /**
   * false: fail if the destination exists
   * @default true
   */
  clobber?: boolean
  /**
   * how to prove the copy: auto; full: read both sides again as well; size: by the sizes alone; none
   * @default 'auto'
   */
  verify?: 'auto' | 'full' | 'size' | 'none'
  /**
   * start again, even if an unfinished copy of the same is kept
   * @default false
   */
  restart?: boolean
  /** options of the source */
  source?: SourceOptions
  /** called with each event */
  onEvent?: (event: CopyEvent) => void
}

/** The options of `copyPrefix`. */
export interface PrefixOptions extends AttributeOptions, WriteOptions, SelectOptions, NamesOptions {
  /**
   * copy: copy every object; sync: copy those that the destination does not have, or has otherwise
   * @default 'copy'
   */
  recursive?: 'copy' | 'sync'
  /**
   * delete objects that the source does not have, after everything is copied
   * @default false
   */
  delete?: boolean
  /**
   * delete nothing if more objects than this would be deleted
   * @default half of the objects, if there are more than 100
   */
  maxDelete?: string | number
  /**
   * treat objects of equal size as equal
   * @default false
   */
  sizeOnly?: boolean
  /**
   * compare checksums and ETags instead of times
   * @default false
   */
  checksum?: boolean
  /** names to copy and to leave out, such as [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides */
  filters?: Array<{ include: string; exclude?: never } | { exclude: string; include?: never }>
  /**
   * leave objects alone that the destination has, as clobber: false does
   * @default false
   */
  ignoreExisting?: boolean
  /**
   * leave objects alone that are newer at the destination
   * @default false
   */
  update?: boolean
  /**
   * size of a part, in MiB or with a unit such as 8M; smaller objects are copied in one request
   * @default 100
   */
  chunk?: string | number
  /** with detach -r: in so many ranges of names, which workers copy side by side; auto: one for each million names */
  split?: string | number
  /**
   * false: leave objects alone that the destination has, as ignoreExisting does
   * @default true
   */
  clobber?: boolean
  /**
   * how to prove the copy: auto; full: read both sides again as well; size: by the sizes alone; none
   * @default 'auto'
   */
  verify?: 'auto' | 'full' | 'size' | 'none'
  /**
   * start again, even if an unfinished sync of the same is kept
   * @default false
   */
  restart?: boolean
  /** options of the source */
  source?: Omit<SourceOptions, 'versionId'>
  /** called with each event */
  onEvent?: (event: PrefixEvent) => void
}

/** The options of `upload`. */
export interface UploadOptions extends AttributeOptions, ObjectOptions {
  /** about how much comes from the stream: the parts are then large enough */
  size?: string | number
  /**
   * false: fail if the destination exists
   * @default true
   */
  clobber?: boolean
  /**
   * how to prove the copy: auto; full: read both sides again as well; size: by the sizes alone; none
   * @default 'auto'
   */
  verify?: 'auto' | 'full' | 'size' | 'none'
  /** called with each event */
  onEvent?: (event: CopyEvent) => void
}

/** The options of `resume`. What is absent is as the job began with it; the defaults are those of a new job. */
export interface ResumeOptions extends AttributeOptions, ObjectOptions, NamesOptions {
  /**
   * delete objects that the source does not have, after everything is copied (of a sync)
   * @default false
   */
  delete?: boolean
  /**
   * delete nothing if more objects than this would be deleted
   * @default half of the objects, if there are more than 100
   */
  maxDelete?: string | number
  /**
   * false: fail if the destination exists; only for the job of one object
   * @default true
   */
  clobber?: boolean
  /**
   * how to prove the copy: auto; full: read both sides again as well; size: by the sizes alone; none
   * @default 'auto'
   */
  verify?: 'auto' | 'full' | 'size' | 'none'
  /**
   * start again, even if an unfinished copy of the same is kept
   * @default false
   */
  restart?: boolean
  /** options of the source */
  source?: Omit<SourceOptions, 'versionId' | 'followLinks'>
  /** called with each event */
  onEvent?: (event: CopyEvent | PrefixEvent) => void
}

/** The options of `verify`. */
export interface VerifyOptions extends StopOptions, TransferOptions {
  /**
   * size of a range to read, in MiB or with a unit such as 8M
   * @default 100
   */
  chunk?: string | number
  /** options of the source */
  source?: SourceOptions
  /** called with each event */
  onEvent?: (event: VerifyEvent) => void
  /**
   * read both objects, even if checksums of the stores could answer
   * @default false
   */
  read?: boolean
}

/** The options of `verifyPrefix`. */
export interface VerifyPrefixOptions extends StopOptions, TransferOptions, SelectOptions {
  /**
   * accept objects that only the destination has
   * @default false
   */
  oneWay?: boolean
  /** names to compare and to leave out, such as [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides */
  filters?: Array<{ include: string; exclude?: never } | { exclude: string; include?: never }>
  /** only the names in this file, one per line; # begins a comment; -: standard input */
  filesFrom?: string
  /** the same, each name ended by NUL and taken as it is, as find -print0 writes them */
  filesFrom0?: string
  /**
   * size of a range to read, in MiB or with a unit such as 8M
   * @default 100
   */
  chunk?: string | number
  /** options of the source */
  source?: SourceOptions
  /** called with each event */
  onEvent?: (event: PrefixVerifyEvent) => void
  /**
   * read both objects, even if checksums of the stores could answer
   * @default false
   */
  read?: boolean
}

/** The options of `verifyManifest`. */
export interface VerifyManifestOptions extends StopOptions, TransferOptions {
  /**
   * accept objects that only the destination has
   * @default false
   */
  oneWay?: boolean
  /**
   * size of a range to read, in MiB or with a unit such as 8M
   * @default 100
   */
  chunk?: string | number
  /** called with each event */
  onEvent?: (event: PrefixVerifyEvent) => void
  /**
   * read both objects, even if checksums of the stores could answer
   * @default false
   */
  read?: boolean
  /** refuse the manifest unless the key to this public one signed it (PEM) */
  publicKey?: string
  /** only so many objects, drawn at random; nothing is listed */
  sample?: string | number
  /** what to compare, in place of the destination that the manifest names */
  at?: string
}

/** The options of `list`. */
export interface ListOptions extends AskOptions {
  /** options of the location */
  source?: Omit<SourceOptions, 'versionId' | 'sseCKeyFile' | 'followLinks'>
  /**
   * list every object below the location, not only one level
   * @default false
   */
  recursive?: boolean
}

/** The options of `download`. */
export interface DownloadOptions extends RequestOptions, StopOptions {
  /**
   * maximum number of ranges that are read at a time
   * @default 16, if the memory allows
   */
  concurrency?: string | number
  /**
   * maximum rate, in MiB a second or with a unit such as 500K or 10MB/s; none: no limit
   * @default 'none'
   */
  bandwidth?: string | number
  /**
   * how much of the objects this process holds at a time, in MiB or with a unit such as 256M
   * @default a quarter of the machine's or the container's, at most 512 MiB
   */
  memory?: string | number
  /**
   * how often a failed part is tried again
   * @default 3
   */
  retries?: string | number
  /**
   * what moves the bytes: openwhisk, lambda, http, local; auto: the platform that is configured, else this machine
   * @default 'auto'
   */
  engine?: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
  /**
   * how to prove what was read: auto: by what the source keeps; full: also read it a second time; size, none: not at all
   * @default 'auto'
   */
  verify?: 'auto' | 'full' | 'size' | 'none'
  /** options of the source */
  source?: Omit<SourceOptions, 'versionId' | 'sseCKeyFile' | 'followLinks'>
  /** called with each event */
  onEvent?: (event: DownloadEvent) => void
  /** only these bytes, from 0: 0-999, or 1000- for all from there, or -500 for the last 500 */
  range?: string
  /**
   * size of a range to read, in MiB or with a unit such as 8M
   * @default 8 MiB
   */
  chunk?: string | number
}

/** The options of `usage`. */
export interface UsageOptions extends AskOptions {
  /** options of the location */
  source?: Omit<SourceOptions, 'versionId' | 'sseCKeyFile' | 'followLinks'>
  /** called with each prefix of one level when it is added up; a promise is waited for */
  onPrefix?: (prefix: PrefixUsage) => unknown
}

/** The options of `head`. */
export interface HeadOptions extends AskOptions {
  /** options of the location */
  source?: Omit<SourceOptions, 'sseCKeyFile' | 'followLinks'>
}

/** The options of `presign`. */
export interface PresignOptions extends AskOptions {
  /** options of the location */
  source?: Omit<SourceOptions, 'sseCKeyFile' | 'followLinks'>
  /**
   * how long the URL is good for, in seconds or with a unit such as 15m or 7d
   * @default '1h'
   */
  expires?: string | number
}

/** The options of `makeBucket`. */
export interface MakeBucketOptions extends AskOptions {
  /** options of the destination */
  destination?: Omit<DestinationOptions, 'sseCKeyFile'>
  /**
   * region of the new bucket
   * @default that of the configuration
   */
  region?: string
}

/** The options of `jobs`. */
export interface JobsOptions extends EnvironmentOptions {
  /**
   * print what the functions of a detached job cost, by list prices
   * @default false
   */
  cost?: boolean
}

/** The options of `work`. */
export interface WorkOptions extends StopOptions {
  /**
   * maximum number of invocations at a time; the engine may allow fewer
   * @default 1000
   */
  concurrency?: string | number
  /**
   * how much of the objects this process holds at a time, in MiB or with a unit such as 256M
   * @default a quarter of the machine's or the container's, at most 512 MiB
   */
  memory?: string | number
  /**
   * what moves the bytes: openwhisk, lambda, http, local; auto: the platform that is configured, else this machine
   * @default 'auto'
   */
  engine?: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
  /**
   * where jobs are kept: a folder, or a prefix in a store, where any machine finds them
   * @default XFER_STATE, else the home folder
   */
  state?: string
  /**
   * end when no job is left that waits
   * @default false
   */
  once?: boolean
  /** take this job alone: its id, or the beginning of it */
  only?: string
  /**
   * so many jobs at a time
   * @default 1
   */
  atOnce?: string | number
  /**
   * stop after so long, in seconds or with a unit such as 14m; what is left waits for the next worker
   * @default no limit
   */
  timeout?: string | number
  /** called with each event */
  onEvent?: (event: WorkEvent) => void
}

/** The options of `attach`. */
export interface AttachOptions extends EnvironmentOptions, StopOptions {
  /**
   * print what the functions of a detached job cost, by list prices
   * @default false
   */
  cost?: boolean
  /** called with each event */
  onEvent?: (event: JobEvent) => void
}

/** The options of `stopJob`. */
export interface StopJobOptions extends StopOptions {
  /**
   * where jobs are kept: a folder, or a prefix in a store, where any machine finds them
   * @default XFER_STATE, else the home folder
   */
  state?: string
}

/** The options of `abortJob`. */
export interface AbortOptions extends StopOptions {
  /**
   * where jobs are kept: a folder, or a prefix in a store, where any machine finds them
   * @default XFER_STATE, else the home folder
   */
  state?: string
  /**
   * take the job over at once: who has it is known to be dead
   * @default false
   */
  take?: boolean
  /** options of the destination */
  destination?: Omit<DestinationOptions, 'sseCKeyFile'>
}

/** The options of `move`. */
export interface MoveOptions extends AttributeOptions, WriteOptions, ObjectOptions, SelectOptions, NamesOptions {
  /** names to copy and to leave out, such as [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides */
  filters?: Array<{ include: string; exclude?: never } | { exclude: string; include?: never }>
  /**
   * leave objects alone that the destination has, as clobber: false does
   * @default false
   */
  ignoreExisting?: boolean
  /**
   * leave objects alone that are newer at the destination
   * @default false
   */
  update?: boolean
  /** with detach -r: in so many ranges of names, which workers copy side by side; auto: one for each million names */
  split?: string | number
  /** about how much comes from the stream: the parts are then large enough */
  size?: string | number
  /**
   * false: fail if the destination exists
   * @default true
   */
  clobber?: boolean
  /**
   * how to prove the copy: auto; full: also read the source again and read the copy back; size and none are refused
   * @default 'auto'
   */
  verify?: 'auto' | 'full' | 'size' | 'none'
  /**
   * start again, even if an unfinished copy of the same is kept
   * @default false
   */
  restart?: boolean
  /** options of the source */
  source?: SourceOptions
  /** called with each event */
  onEvent?: (event: CopyEvent | PrefixEvent) => void
  /**
   * move everything below the source to below the destination
   * @default false
   */
  recursive?: boolean
}

/** The options of `remove`. */
export interface RemoveOptions extends SelectOptions, AskOptions {
  /** names to copy and to leave out, such as [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides */
  filters?: Array<{ include: string; exclude?: never } | { exclude: string; include?: never }>
  /**
   * do nothing, and resolve to what would be done
   * @default false
   */
  dryRun?: boolean
  /** options of the destination */
  destination?: Omit<DestinationOptions, 'sseCKeyFile'>
  /**
   * delete everything below the location
   * @default false
   */
  recursive?: boolean
  /** delete this version of the object for good */
  versionId?: string
  /**
   * delete nothing if more objects than this would be deleted
   * @default no limit
   */
  maxDelete?: string | number
  /** asked before anything below a prefix is deleted; false: delete nothing */
  confirm?: (found: FoundObjects) => boolean | Promise<boolean>
  /** called with each object once its outcome is known */
  onObject?: (object: RemovedObject) => void
}

/** The options of `clean`. */
export interface CleanOptions extends StopOptions {
  /**
   * where jobs are kept: a folder, or a prefix in a store, where any machine finds them
   * @default XFER_STATE, else the home folder
   */
  state?: string
  /** options of the destination */
  destination?: Omit<DestinationOptions, 'sseCKeyFile'>
  /**
   * abort the uploads, or remove the jobs, that are listed
   * @default false
   */
  yes?: boolean
  /**
   * only uploads that began, or jobs that ended, so long ago; with a unit: 90s, 30m, 24h, 7d
   * @default '24h'
   */
  olderThan?: string
  /** called with each upload once its outcome is known */
  onUpload?: (upload: CleanedUpload) => void
}

/** The options of `cleanState`. */
export interface CleanStateOptions extends StopOptions {
  /**
   * where jobs are kept: a folder, or a prefix in a store, where any machine finds them
   * @default XFER_STATE, else the home folder
   */
  state?: string
  /**
   * abort the uploads, or remove the jobs, that are listed
   * @default false
   */
  yes?: boolean
  /**
   * only uploads that began, or jobs that ended, so long ago; with a unit: 90s, 30m, 24h, 7d
   * @default '24h'
   */
  olderThan?: string
}

/** The options of `deploy`. */
export interface DeployOptions extends StopOptions, PlatformOptions {
  /**
   * engine whose platform gets the function; auto: the one that is configured (openwhisk: functions of the platform; lambda: a function of AWS Lambda; http: workers behind HTTP; local: this machine)
   * @default 'auto'
   */
  engine?: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
  /**
   * memory of an invocation, in MiB or with a unit such as 1G
   * @default as deployed; 256 MiB at first
   */
  memory?: string | number
  /**
   * how long an invocation may run, in seconds or with a unit such as 9m
   * @default as deployed; 300 s at first
   */
  timeout?: string | number
  /**
   * runtime of the function
   * @default as deployed; nodejs:20 or nodejs22.x at first
   */
  runtime?: string
  /**
   * file of certificates (PEM) that the function trusts in addition to the usual ones
   * @default as deployed; none at first
   */
  caBundle?: string
  /**
   * hosts that the function may connect to: names, *.names, addresses and ranges
   * @default as deployed; * at first
   */
  allowHosts?: string | string[]
  /**
   * whether the function may connect to link-local and metadata addresses
   * @default as deployed; not allowed at first
   */
  allowMetadata?: boolean
  /**
   * use the defaults of a first deployment, not what is deployed
   * @default false
   */
  reset?: boolean
  /**
   * deploy the runner and not the function that copies: it runs the jobs that detach leaves in a state
   * @default false
   */
  runner?: boolean
  /**
   * with `runner`: give it the keys of these profiles; none where the platform gives it a role
   * @default as deployed; none at first
   */
  runnerProfile?: string | string[]
  /**
   * with `runner`: have the platform call it so often for what waits in XFER_STATE
   * @default as deployed; never at first
   */
  every?: string | number
  /**
   * manifest.yaml to deploy
   * @default the one that came with xfer
   */
  manifest?: string
  /**
   * processors of the function: arm64 or x86_64
   * @default as deployed; arm64 at first
   */
  architecture?: 'arm64' | 'x86_64'
  /**
   * role of the function, which a new one needs; it needs no rights to stores
   * @default as deployed
   */
  role?: string
}

/** The options of `undeploy`. */
export interface UndeployOptions extends StopOptions, PlatformOptions {
  /**
   * engine whose platform gets the function; auto: the one that is configured (openwhisk: functions of the platform; lambda: a function of AWS Lambda; http: workers behind HTTP; local: this machine)
   * @default 'auto'
   */
  engine?: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
  /**
   * deploy the runner and not the function that copies: it runs the jobs that detach leaves in a state
   * @default false
   */
  runner?: boolean
  /**
   * manifest.yaml to deploy
   * @default the one that came with xfer
   */
  manifest?: string
}

/** The options of `doctor`. */
export interface DoctorOptions extends StopOptions, PlatformOptions {
  /**
   * engine whose platform is checked; auto: the one that is configured (openwhisk: functions of the platform; lambda: a function of AWS Lambda; http: workers behind HTTP; local: this machine)
   * @default 'auto'
   */
  engine?: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
  /**
   * addresses of workers, or of a balancer before several
   * @default XFER_WORKERS
   */
  worker?: string | string[]
  /** options of the source */
  source?: Omit<SourceOptions, 'versionId' | 'followLinks'>
  /** options of the destination */
  destination?: DestinationOptions
  /**
   * file of certificates (PEM) to trust in addition to the usual ones
   * @default AWS_CA_BUNDLE
   */
  caBundle?: string
  /**
   * ask the server of the location what it does where servers differ: some 160 requests and 10 MiB below a random prefix, which is removed; keep the answers for later copies
   * @default false
   */
  deep?: boolean
  /**
   * forget what deep has kept of the server of the location
   * @default false
   */
  forget?: boolean
  /** called with each check once it is done, and with what failed */
  onCheck?: (checked: Checked, error?: XferError) => void
}

/** The options of `probe`. */
export interface ProbeOptions extends StopOptions {
  /** options of the source */
  source?: Omit<SourceOptions, 'versionId' | 'sseCKeyFile' | 'followLinks'>
  /** options of the destination */
  destination?: Omit<DestinationOptions, 'sseCKeyFile'>
  /**
   * file of certificates (PEM) to trust in addition to the usual ones
   * @default AWS_CA_BUNDLE
   */
  caBundle?: string
  /** called with each event */
  onEvent?: (event: ProbeEvent) => void
  /**
   * write at most so much at each place
   * @default '2GiB'
   */
  maxBytes?: string | number
  /**
   * write below this prefix of the location; each probe makes a random one of its own below it
   * @default none
   */
  within?: string
  /**
   * with two places: how much the copy of one large object moves, whose time is predicted
   * @default '1TiB'
   */
  bytes?: string | number
  /** with two places: also predict the copy of so many objects, each of size (100 kB) */
  objects?: string | number
  /**
   * how long a step may take whose rate does not settle; with a unit: 500ms, 3s, 60s
   * @default '3s'
   */
  stepTime?: string
  /**
   * the most requests at once that are tried
   * @default 64
   */
  concurrency?: string | number
  /** fail unless it is so, such as 'put.p99<200ms' or 'get.rate>100MB/s'; may be given several times */
  expect?: string | string[]
  /**
   * whose requests are measured: those of this machine (here), or of functions of the configured platform (functions)
   * @default 'here'
   */
  from?: 'here' | 'functions'
  /**
   * measure objects of this size alone
   * @default 100 kB to 100 MB
   */
  size?: string | number
  /** in place of all else: how response times grow with so many users at once, such as 1,3,30 */
  users?: string
  /**
   * with users: the requests of each user, in turn, of put, get and head
   * @default put,get
   */
  mix?: string
  /**
   * with users: so many of each kind for each number of users, by all of them together
   * @default 100
   */
  requests?: string | number
  /**
   * compare the locations: write and read an object at each, in random order in each of so many rounds
   * @default 20 with three locations or more, else none
   */
  rounds?: string | number
  /**
   * only delete what probes left that were killed
   * @default false
   */
  clean?: boolean
  /** asked before anything is written; false: write nothing */
  confirm?: (plan: { locations: string[]; mostBytes: number }) => boolean | Promise<boolean>
}

/** The options of `profiles`. */
export interface ProfilesOptions extends StopOptions {
  /**
   * ask the store of each for its buckets, 8 at once; none has more than 5 s
   * @default false
   */
  check?: boolean
}
