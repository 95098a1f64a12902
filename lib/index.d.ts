/**
 * The library; the types that callers meet are in lib/api, which imports nothing from elsewhere. Sizes are bytes, durations
 * and points in time (since the epoch) are milliseconds, unless a name says otherwise.
 */

import type {
  AbortOptions,
  AttachOptions,
  CleanOptions,
  CleanStateOptions,
  CopyOptions,
  DeployOptions,
  DoctorOptions,
  DownloadOptions,
  HeadOptions,
  JobsOptions,
  ListOptions,
  MakeBucketOptions,
  PrefixOptions,
  MoveOptions,
  PresignOptions,
  ProbeOptions,
  ProfilesOptions,
  RemoveOptions,
  ResumeOptions,
  UndeployOptions,
  UsageOptions,
  StopJobOptions,
  UploadOptions,
  VerifyOptions,
  VerifyManifestOptions,
  VerifyPrefixOptions,
  WorkOptions,
} from './api/options'
import type { Client, ClientOptions } from './api/client'
import type { FoundProfile, ListEntry, MadeBucket, ObjectInfo, Presigned, Usage } from './api/listings'
import type {
  AbortedJob,
  Cleaned,
  Deployed,
  Diagnosis,
  JobReport,
  ProbeDifference,
  ProbeReport,
  Removed,
  Undeployed,
  Worked,
} from './api/reports'
import type { ByteStream } from './api/reading'
import type { PrefixSummary, PrefixVerification, Summary, Verification } from './api/summaries'

export type * from './api/client'
export type * from './api/codes'
export type * from './api/events'
export type * from './api/listings'
export type * from './api/options'
export type * from './api/reports'
export type * from './api/reading'
export type * from './api/summaries'
export { EXIT, XferError } from './api/errors'

/**
 * Makes a client: its functions are those of the library, with options that all of them have, and their connections and threads
 * stay from one call to the next. The functions of the library share them too, as long as one of their calls goes on.
 *
 * @param defaults options of any call; a call takes those that it and its stores have, and its own override them
 * @throws {XferError} USAGE for an option that no call has
 * @example
 * import { createClient } from 'xfer'
 *
 * const xfer = createClient({ destination: { region: 'us-east-1' }, retries: 5 })
 * const names = ['a.txt', 'b.txt', 'c.txt']
 * await Promise.all(names.map(name => xfer.upload(Buffer.from(name), `s3://dst/${name}`)))
 * await xfer.close()
 */
export function createClient(defaults?: ClientOptions): Client

/**
 * Copies one object, or resumes the unfinished copy of the same source to the same destination.
 *
 * @param source `s3://bucket/key`
 * @param destination `s3://bucket/key`; without a key, or with a key that ends in a slash, the source's name is added
 * @returns resolves when the copy is at the destination and proved; for a dry run, what it would have been
 * @throws {XferError} no object is visible at the destination then, and `facts.job` names the job if it can be resumed
 * @example
 * import { copy } from 'xfer'
 *
 * const summary = await copy('s3://src/big.bin', 's3://dst/big.bin', {
 *   chunk: '8MiB',
 *   onEvent: event => {
 *     if (event.type === 'progress') console.log(`${event.bytesDone} of ${event.bytesTotal} bytes`)
 *   },
 * })
 * console.log(summary.etag, summary.proof)
 */
export function copy(source: string, destination: string, options?: CopyOptions): Promise<Summary>

/**
 * Reads an object as a stream. It reads several ranges ahead, and hands out a range only when it is whole and of the object that
 * was found at the beginning; the last one only when the whole was compared with what the source keeps.
 *
 * @param source `s3://bucket/key`
 * @returns a stream of bytes, whose error is an `XferError`; destroying it ends the download
 * @throws {XferError} never: the stream fails
 * @example
 * import { createWriteStream } from 'node:fs'
 * import { pipeline } from 'node:stream/promises'
 * import { download } from 'xfer'
 *
 * await pipeline(download('s3://src/big.bin'), createWriteStream('big.bin'))
 */
export function download(source: string, options?: DownloadOptions): ByteStream

/**
 * Copies or syncs all objects of a prefix.
 *
 * @param source `s3://bucket/prefix`; a slash is added if it is missing
 * @param destination likewise
 * @returns resolves when every selected object is at the destination
 * @throws {XferError} OBJECTS_FAILED when some are not; every other error that ends a job
 * @example
 * import { copyPrefix } from 'xfer'
 *
 * const { objects } = await copyPrefix('s3://src/photos/', 's3://dst/photos/', {
 *   recursive: 'sync', // or 'copy', which is the default
 *   filters: [{ exclude: '*' }, { include: '*.jpg' }], // the last that matches decides
 * })
 * console.log(objects.copied, objects.skipped)
 */
export function copyPrefix(source: string, destination: string, options?: PrefixOptions): Promise<PrefixSummary>

/**
 * Writes an object from a stream, or from bytes. A stream is read as fast as the destination takes it, and its parts are held until
 * they are there.
 *
 * @param readable a stream of bytes, which is destroyed when the upload fails; or all of the bytes, which must not be changed meanwhile
 * @param destination `s3://bucket/key`
 * @returns resolves when the object is at the destination and proved
 * @throws {XferError} no object is visible then, and nothing is left of the upload: INPUT_FAILED when the stream fails;
 *   INPUT_DIFFERS when it is not what was expected; TOO_LARGE; as `copy`
 * @example
 * import { upload } from 'xfer'
 *
 * await upload(Buffer.from('hello'), 's3://dst/hello.txt')
 */
export function upload(
  readable: AsyncIterable<Uint8Array> | Uint8Array,
  destination: string,
  options?: UploadOptions,
): Promise<Summary>

/**
 * Continues an unfinished job.
 *
 * @param name the job's id, the beginning of it, or the path of its journal; the only unfinished job when absent
 * @param options override those that the job was started with
 * @returns what `copy` or `copyPrefix` resolves to, whichever began the job
 * @throws {XferError} as `copy` and `copyPrefix`; NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL
 * @example
 * import { copy, resume, XferError } from 'xfer'
 *
 * try {
 *   await copy('s3://src/big.bin', 's3://dst/again.bin', { signal: AbortSignal.timeout(60_000) })
 * } catch (error) {
 *   if (!(error instanceof XferError) || error.facts.job === undefined) throw error
 *   console.log(await resume(error.facts.job))
 * }
 */
export function resume(name?: string, options?: ResumeOptions): Promise<Summary | PrefixSummary>

/**
 * Compares two objects.
 *
 * @param source `s3://bucket/key`
 * @param destination as for `copy`
 * @returns how they were found to be equal
 * @throws {XferError} OBJECTS_DIFFER; `facts.start` and `facts.end` of the first different bytes if they were read
 * @example
 * import { verify } from 'xfer'
 *
 * const { method, value } = await verify('s3://src/big.bin', 's3://dst/big.bin')
 * console.log(`equal by ${method}: ${value}`)
 */
export function verify(source: string, destination: string, options?: VerifyOptions): Promise<Verification>

/**
 * Compares everything below two prefixes.
 *
 * @param source `s3://bucket/prefix`; a slash is added where there is none
 * @param destination as `source`
 * @returns what proved the pairs equal; every difference is an event
 * @throws {XferError} OBJECTS_DIFFER if any name differs; OBJECTS_FAILED if some could not be compared
 * @example
 * import { verifyPrefix } from 'xfer'
 *
 * const { pairs, methods } = await verifyPrefix('s3://src/photos/', 's3://dst/photos/', {
 *   filters: [{ exclude: '*' }, { include: '*.jpg' }],
 *   onEvent: event => event.type === 'difference' && console.log(event.found, event.name),
 * })
 * console.log(pairs.equal, methods)
 */
export function verifyPrefix(
  source: string,
  destination: string,
  options?: VerifyPrefixOptions,
): Promise<PrefixVerification>

/**
 * Compares a destination with the manifest of the job that wrote it (`manifestOut`).
 *
 * @param file path of the manifest
 * @returns what proved the objects to be those of the manifest; every difference is an event
 * @throws {XferError} SEAL_BROKEN if it is not what was sealed, or not signed with `publicKey`; MANIFEST_INCOMPLETE if its job broke off; as `verifyPrefix`
 * @example
 * import { copyPrefix, verifyManifest } from 'xfer'
 *
 * await copyPrefix('s3://src/photos/', 's3://dst/photos/', { manifestOut: 'photos.ndjson' })
 * const { pairs } = await verifyManifest('photos.ndjson')
 * console.log(pairs.equal)
 */
export function verifyManifest(file: string, options?: VerifyManifestOptions): Promise<PrefixVerification>

/**
 * Lists the objects whose keys begin with that of the location, and the prefixes at the same level; or the buckets.
 *
 * @param location `s3://bucket/prefix`; the key is the beginning of keys, and may be absent; `s3://` for the buckets
 * @returns an async iterable, which asks for the next page while it is read; it is empty if there is nothing
 * @throws {XferError} while it is read: NO_SUCH_BUCKET, ACCESS_DENIED, or another refusal of the store
 * @example
 * import { list } from 'xfer'
 *
 * for await (const entry of list('s3://src/photos/')) {
 *   if (entry.type === 'object') console.log(entry.name, entry.bytes)
 * }
 */
export function list(location: string, options?: ListOptions): AsyncIterable<ListEntry>

/**
 * Adds up the objects whose keys begin with that of the location.
 *
 * @param location `s3://bucket/prefix`; the key is the beginning of keys, and may be absent
 * @returns the total; `onPrefix` is told the prefixes of one level
 * @throws {XferError} NO_SUCH_BUCKET, LISTING_DISORDERED, or another refusal of the store
 * @example
 * import { usage } from 'xfer'
 *
 * const { bytes, objects } = await usage('s3://src/photos/', {
 *   onPrefix: ({ name, bytes }) => console.log(name, bytes),
 * })
 * console.log(bytes, objects)
 */
export function usage(location: string, options?: UsageOptions): Promise<Usage>

/**
 * Tells what an object is. Nothing of it is read.
 *
 * @param location `s3://bucket/key`
 * @throws {XferError} NO_SUCH_KEY, NO_SUCH_BUCKET, or another refusal of the store
 * @example
 * import { head } from 'xfer'
 *
 * console.log(await head('s3://src/big.bin'))
 */
export function head(location: string, options?: HeadOptions): Promise<ObjectInfo>

/**
 * Signs a URL with which anybody may read an object until it ends. The URL is a secret.
 *
 * @param location `s3://bucket/key`
 * @throws {XferError} NO_SUCH_KEY, ACCESS_DENIED; USAGE if the store or the credentials cannot sign such a URL
 * @example
 * import { presign } from 'xfer'
 *
 * const { url, endsMs } = await presign('s3://src/big.bin', { expires: '15m' })
 */
export function presign(location: string, options?: PresignOptions): Promise<Presigned>

/**
 * Creates a bucket or a container, such as `s3://bucket`.
 *
 * @throws {XferError} DESTINATION_EXISTS, also for one of your own; or the store's refusal
 * @example
 * import { makeBucket } from 'xfer'
 *
 * await makeBucket('s3://new-bucket', { region: 'eu-west-1' })
 */
export function makeBucket(location: string, options?: MakeBucketOptions): Promise<MadeBucket>

/**
 * Lists unfinished jobs, newest first.
 *
 * @throws {XferError} BAD_JOURNAL when their folder cannot be read
 * @example
 * import { jobs } from 'xfer'
 *
 * for (const { id, state, bytesDone } of await jobs()) console.log(id, state, bytesDone)
 */
export function jobs(options?: JobsOptions): Promise<JobReport[]>

/**
 * Runs jobs that lie in a state (`state`, or XFER_STATE) and wait there, or whose machine has given no sign of life: until it is
 * aborted, or with `once` until there is none. A job that fails does not end it.
 *
 * @throws {XferError} STATE_UNSAFE, or what keeps it from reading the state
 * @example
 * import { copy, work } from 'xfer'
 *
 * const state = 's3://team-state/xfer'
 * await copy('s3://src/big.bin', 's3://dst/big.bin', { state, detach: true })
 * console.log(await work({ state, once: true }))
 */
export function work(options?: WorkOptions): Promise<Worked>

/**
 * Tells the progress of a job that runs elsewhere, or waits for that, until it has ended.
 *
 * @param name the job's id, or the beginning of it
 * @returns the job as it has ended: `state` is `done`, `failed` or `stopped`
 * @throws {XferError} NO_SUCH_JOB, INTERRUPTED: the job goes on
 * @example
 * import { attach, jobs } from 'xfer'
 *
 * const state = 's3://team-state/xfer'
 * for (const { id } of await jobs({ state })) console.log(id, (await attach(id, { state })).state)
 */
export function attach(name: string, options?: AttachOptions): Promise<JobReport>

/**
 * Asks a job to stop, as Ctrl-C would, and waits until it has: it can be resumed. One that waits for a worker waits no more.
 *
 * @param name the job's id, or the beginning of it
 * @throws {XferError} NO_SUCH_JOB; JOB_RUNNING if it goes on after a minute
 * @example
 * import { jobs, stopJob } from 'xfer'
 *
 * for (const { id, state } of await jobs()) if (state === 'running') await stopJob(id)
 */
export function stopJob(name: string, options?: StopJobOptions): Promise<JobReport>

/**
 * Gives up an unfinished job and aborts its multipart uploads.
 *
 * @param name the job's id, the beginning of it, or the path of its journal
 * @throws {XferError} NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL, or the store's refusal; the job is kept then
 * @example
 * import { abortJob, jobs } from 'xfer'
 *
 * for (const { id, state } of await jobs()) if (state === 'stopped') await abortJob(id)
 */
export function abortJob(name: string, options?: AbortOptions): Promise<AbortedJob>

/**
 * Moves an object, or everything below a prefix: copies it, and deletes each source once its own copy is proved. A source that
 * somebody writes anew meanwhile stays.
 *
 * @param source `s3://bucket/key`; with `recursive` a prefix
 * @param destination as for `copy`, or for `copyPrefix`
 * @returns what `copy` or `copyPrefix` resolves to, once the sources are gone
 * @throws {XferError} as `copy` and `copyPrefix`; SOURCE_KEPT if the copy is proved and the source was not deleted
 * @example
 * import { copy, move } from 'xfer'
 *
 * await copy('s3://src/big.bin', 's3://src/moved/big.bin')
 * const { bytes } = await move('s3://src/moved/big.bin', 's3://dst/moved/big.bin')
 * console.log(bytes)
 */
export function move(source: string, destination: string, options?: MoveOptions): Promise<Summary | PrefixSummary>

/**
 * Deletes objects. In a bucket that keeps versions an object gets a delete marker, and its versions stay.
 *
 * @param location `s3://bucket/key`, or several; with `recursive` a prefix, to which a slash is added if it is missing
 * @returns resolves when the store has confirmed every deletion
 * @throws {XferError} NO_SUCH_KEY for one object, OBJECTS_FAILED if some of many could not be deleted, NOTHING_FOUND,
 *   NOT_CONFIRMED, TOO_MANY_DELETIONS
 * @example
 * import { remove } from 'xfer'
 *
 * const { objects } = await remove('s3://dst/photos/', {
 *   recursive: true,
 *   filters: [{ exclude: '*' }, { include: '*.tmp' }],
 *   confirm: found => found.objects < 100,
 * })
 * console.log(objects)
 */
export function remove(location: string | string[], options?: RemoveOptions): Promise<Removed>

/**
 * Lists and aborts multipart uploads that no job will complete.
 *
 * @param destination `s3://bucket` or `s3://bucket/prefix`
 * @throws {XferError} the first refusal, after all uploads were tried
 * @example
 * import { clean } from 'xfer'
 *
 * const { uploads } = await clean('s3://dst', { olderThan: '7d', yes: true }) // without yes they are only listed
 * console.log(uploads.filter(({ outcome }) => outcome === 'aborted').length)
 */
export function clean(destination: string, options?: CleanOptions): Promise<Cleaned>

/**
 * Lists and removes jobs of a state that are over.
 *
 * @returns newest first
 * @throws {XferError} USAGE without a state, STATE_UNSAFE
 * @example
 * import { cleanState } from 'xfer'
 *
 * const removed = await cleanState({ state: 's3://dst/.xfer', olderThan: '7d', yes: true }) // without yes they are only listed
 * console.log(removed.length)
 */
export function cleanState(options?: CleanStateOptions): Promise<JobReport[]>

/**
 * Lists the profiles that a place may name, as in `s3://NAME@bucket`, and the file that each comes from.
 *
 * @returns in the order of their files; a file that cannot be read is one, with its `problem`
 * @throws {XferError} USAGE, INTERRUPTED
 * @example
 * import { profiles } from 'xfer'
 *
 * for (const { name, from, check } of await profiles({ check: true })) console.log(name, from, check?.ok)
 */
export function profiles(options?: ProfilesOptions): Promise<FoundProfile[]>

/**
 * Deploys the function to the platform.
 *
 * @throws {XferError} USAGE, NO_PLATFORM, or the platform's refusal
 * @example
 * import { deploy } from 'xfer'
 *
 * const { actions } = await deploy({ memory: 512 })
 * for (const { name, outcome, version } of actions) console.log(name, outcome, version)
 */
export function deploy(options?: DeployOptions): Promise<Deployed>

/**
 * Removes the function from the platform, and its package if that is empty then.
 *
 * @throws {XferError} as `deploy`
 * @example
 * import { undeploy } from 'xfer'
 *
 * const { packages } = await undeploy()
 * console.log(packages)
 */
export function undeploy(options?: UndeployOptions): Promise<Undeployed>

/**
 * Measures a place: how long requests take, how fast it is by size, how many at once help. What it writes, it deletes.
 *
 * @param locations two: the time of a copy from the first to the second is predicted; more: they are compared, in pairs
 * @example
 * import { probe } from 'xfer'
 *
 * console.log((await probe('s3://src', { maxBytes: '256MiB' })).recommended)
 */
export function probe(locations: string | string[], options?: ProbeOptions): Promise<ProbeReport>

/**
 * Compares what two reports of `probe` have in common: what became faster, and how sure that is.
 * @example
 * import { compareProbes, probe } from 'xfer'
 *
 * const once = () => probe('s3://src', { maxBytes: '8MiB' })
 * console.log(compareProbes(await once(), await once()))
 */
export function compareProbes(before: ProbeReport, after: ProbeReport): ProbeDifference[]

/**
 * Checks everything that a copy needs.
 *
 * @param source `s3://bucket/key` or `s3://bucket`; not checked when undefined
 * @param destination likewise
 * @throws {XferError} USAGE, BAD_LOCATION, INTERRUPTED
 * @example
 * import { doctor } from 'xfer'
 *
 * await doctor('s3://src/big.bin', 's3://dst/big.bin', {
 *   onCheck: ({ name, ok, detail }) => console.log(name, ok, detail),
 * })
 */
export function doctor(source?: string, destination?: string, options?: DoctorOptions): Promise<Diagnosis>
