/** The values of options, once read. Made by `npm run docs` from the table in lib/options; do not edit. */
// biome-ignore-all format: a program made it

/** What has the same values with each command. Sizes are bytes, durations milliseconds, dates milliseconds since the epoch. */
interface Shared {
  recursive: 'copy' | 'sync' | undefined; newerThan: number | undefined; minSize: number | undefined;
  maxSize: number | undefined; bandwidth: number | undefined; retries: number; outageTimeout: number;
  engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'; route: 'auto' | 'server' | 'engine';
  onFailure: 'keep' | 'abort'; metadata: 'copy' | 'replace'; tags: 'copy' | 'none';
  sse: 'AES256' | 'aws:kms' | 'aws:kms:dsse' | undefined; ttl: number | undefined; size: number | undefined;
  verify: 'auto' | 'full' | 'size' | 'none'; live: number | undefined; sample: number | undefined; expires: number;
  memory: number | undefined; allowHosts: string[] | undefined; print: 'zip' | undefined;
  architecture: 'arm64' | 'x86_64' | undefined; maxBytes: number; bytes: number; stepTime: number;
  from: 'here' | 'functions'; requests: number; rounds: number | undefined; port: number | undefined; places: number;
  heartbeat: number; drain: number;
}

/** By command, and by name. */
export interface OptionValues {
  copy: Shared & { olderThan: number | undefined; chunk: number | 'match' | 'auto'; concurrency: number;
  timeout: number | undefined; }
  verify: Shared & { olderThan: number | undefined; chunk: number | 'match' | 'auto'; concurrency: number; }
  sync: Shared & { maxDelete: { count: number } | { percent: number } | undefined; olderThan: number | undefined;
  chunk: number | 'match' | 'auto'; concurrency: number; timeout: number | undefined; }
  resume: Shared & { maxDelete: { count: number } | { percent: number } | undefined; concurrency: number;
  timeout: number | undefined; }
  rm: Shared & { olderThan: number | undefined; maxDelete: number | undefined; }
  mv: Shared & { olderThan: number | undefined; chunk: number | 'match' | 'auto'; concurrency: number;
  timeout: number | undefined; }
  cat: Shared & { concurrency: number | undefined; chunk: number | undefined; }
  ls: Shared
  du: Shared
  head: Shared
  presign: Shared
  mb: Shared
  deploy: Shared & { timeout: number | undefined; }
  doctor: Shared
  probe: Shared & { concurrency: number; }
  abort: Shared
  clean: Shared & { olderThan: number; }
  jobs: Shared
  report: Shared
  serve: Shared & { timeout: number; }
}
