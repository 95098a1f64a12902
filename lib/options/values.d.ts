/** The values of options, once read. Made by `npm run docs` from the table in lib/options; do not edit. */
// biome-ignore-all format: a program made it

/** What has the same values with each command. Sizes are bytes, durations milliseconds, dates milliseconds since the epoch. */
interface SharedValues {
  recursive: 'copy' | 'sync' | undefined; newerThan: number | undefined; minSize: number | undefined;
  maxSize: number | undefined; bandwidth: number | undefined; memory: number | undefined; retries: number;
  outageTimeout: number; engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local';
  split: number | 'auto' | undefined; route: 'auto' | 'server' | 'engine'; onFailure: 'keep' | 'abort';
  metadata: 'copy' | 'replace'; tags: 'copy' | 'none'; sse: 'AES256' | 'aws:kms' | 'aws:kms:dsse' | undefined;
  ttl: number | undefined; size: number | undefined; verify: 'auto' | 'full' | 'size' | 'none';
  live: number | undefined; sample: number | undefined; atOnce: number; expires: number;
  allowHosts: string[] | undefined; every: number | undefined; print: 'zip' | undefined;
  architecture: 'arm64' | 'x86_64' | undefined; maxBytes: number; bytes: number; objects: number | undefined;
  stepTime: number; from: 'here' | 'functions'; requests: number; rounds: number | undefined;
  port: number | undefined; places: number; heartbeat: number; drain: number;
}

/** By command, and by name. */
export interface OptionValues {
  copy: SharedValues & { olderThan: number | undefined; chunk: number | 'match' | 'auto'; concurrency: number;
  timeout: number | undefined; }
  verify: SharedValues & { olderThan: number | undefined; chunk: number | 'match' | 'auto'; concurrency: number; }
  sync: SharedValues & { maxDelete: { count: number } | { percent: number } | undefined;
  olderThan: number | undefined; chunk: number | 'match' | 'auto'; concurrency: number; timeout: number | undefined; }
  resume: SharedValues & { maxDelete: { count: number } | { percent: number } | undefined; concurrency: number;
  timeout: number | undefined; }
  rm: SharedValues & { olderThan: number | undefined; maxDelete: number | undefined; }
  mv: SharedValues & { olderThan: number | undefined; chunk: number | 'match' | 'auto'; concurrency: number;
  timeout: number | undefined; }
  work: SharedValues & { concurrency: number; timeout: number | undefined; }
  cat: SharedValues & { concurrency: number | undefined; chunk: number | undefined; }
  ls: SharedValues
  du: SharedValues
  head: SharedValues
  presign: SharedValues
  mb: SharedValues
  deploy: SharedValues & { timeout: number | undefined; }
  doctor: SharedValues
  jobs: SharedValues
  attach: SharedValues
  stop: SharedValues
  abort: SharedValues
  clean: SharedValues & { olderThan: number; }
  probe: SharedValues & { concurrency: number; }
  profiles: SharedValues
  report: SharedValues
  serve: SharedValues & { timeout: number; }
}
