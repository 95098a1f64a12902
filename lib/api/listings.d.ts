/** What the functions tell of objects and prefixes that they copy nothing of. */

import type { SumName } from './summaries'

/** What every entry of a list has. */
export interface EntryBase {
  /** Its location, as the list's was typed. */
  location: string
  /** The whole key, or the beginning of keys. */
  key: string
  /** The key behind the last slash of the location. */
  name: string
}

/** An object of a list. */
export interface ObjectEntry extends EntryBase {
  type: 'object'
  bytes: number
  /** As the store tells it, with quotes; empty if its lists tell none. */
  etag: string
  lastModifiedMs?: number
  /** Absent for the store's default class. */
  storageClass?: string
}

/** The beginning of keys at one level, which ends in a slash: what a folder is in a file system. */
export interface PrefixEntry extends EntryBase {
  type: 'prefix'
}

/** A bucket, or what the store calls it, where the location names none. */
export interface ContainerEntry {
  type: 'container'
  /** Its location: `s3://bucket`. */
  location: string
  name: string
  /** When it was created or, where the store tells only that, last changed. */
  createdMs?: number
}

/** What `list` yields: containers, or what is in one. */
export type ListEntry = ObjectEntry | PrefixEntry | ContainerEntry

/** The result of `usage`. */
export interface Usage {
  /** As it was typed. */
  location: string
  /** Of all objects together. */
  bytes: number
  objects: number
}

/** What is below one prefix. */
export interface PrefixUsage extends EntryBase {
  bytes: number
  objects: number
}

/** A checksum that a store keeps of an object. */
export interface KeptChecksum {
  sum: SumName
  /** In base64; an MD5 in hex. */
  value: string
  /** `full`: of all bytes; `composite`: of the checksums of its parts. */
  kind: 'full' | 'composite'
}

/** The result of `head`. */
export interface ObjectInfo {
  /** As it was typed. */
  location: string
  key: string
  bytes: number
  /** As the store tells it, with quotes; empty if it tells none. */
  etag: string
  lastModifiedMs?: number
  /** If its container keeps versions. */
  versionId?: string
  /** Absent if the store keeps none. */
  checksums?: KeptChecksum[]
  /** Of an object that was uploaded in parts, if the store tells: how many, and the size of the first one. */
  parts?: { count: number; bytes: number }
  /** Absent for the store's default class. */
  storageClass?: string
  /** By the store's names. */
  encryption?: { kind: string; keyId?: string }
  /** Content headers; names in lower case. */
  headers: Record<string, string>
  /** User metadata. */
  metadata: Record<string, string>
  /** Absent if the store has no tags, or the credentials may not read them. */
  tags?: Record<string, string>
  /** How many tags it has, if only that is told. */
  tagCount?: number
  /** Of a website. */
  redirect?: string
  /** What else the store tells that it has, such as `its object lock`. */
  others?: string[]
}

/** The result of `presign`. */
export interface Presigned {
  /** As it was typed. */
  location: string
  /** A secret: whoever has it may read the object. */
  url: string
  /** When it ends: sooner than was asked for if the credentials that have signed it do. */
  endsMs: number
}

/** The result of `makeBucket`. */
export interface MadeBucket {
  /** As it was typed. */
  location: string
}

/** A profile, as `profiles` lists it; or a file that may have some, and cannot be used: it has no name, and a problem. */
export interface FoundProfile {
  name?: string
  /** The scheme of the places that it is for, by its endpoint: `s3`, `gs`. */
  kind?: string
  /** Absent: the usual one, or that of the environment. */
  endpoint?: string
  region?: string
  /** The path of the file that has it. */
  from: string
  problem?: string
  /** With `check`: whether its store took its keys, and what it said if it did not, or lists no buckets to them. */
  check?: { ok: boolean; message?: string }
}
