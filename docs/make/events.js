'use strict'

/** docs/reference/events.md: the events that `--json` prints and `onEvent` gets. test/e2e/events.test.js holds them. */

const { downloadKinds } = require('./download-events')
const { COUNTS, ENDS, NOW, PLANNED_ENDS, TOTALS, WHERE } = require('./event-fields')
const { OF_VERIFY, OF_VERIFY_PREFIX } = require('./events-of-verify')
const { NOTE } = require('./note')

/** @typedef {import('./event-fields').Fields} Fields */
/** @typedef {import('./event-fields').Kinds} Kinds */

/** @type {Fields} */
const OBJECTS = {
  objects:
    'counts: `listed`, `chosen`, `copied`, `skipped`, `filtered`, `deleted`, `failed`; of the skipped ones also `gone` (deleted at the source since they were listed) and `earlier` (dealt with by earlier runs of the job), if there are any',
}

/** @type {Fields} */
const OF_OBJECT = { 'name?': 'in a prefix: the key without the prefix' }

/** @type {Kinds} */
const OF_ONE_OBJECT = {
  plan: {
    when: 'once, before the first byte is moved; again if another engine takes over',
    fields: {
      ...PLANNED_ENDS,
      bytes: 'size of the object',
      parts: 'how many',
      partBytes: 'size of a part',
      route: '`put`: one request; `multipart`: an upload in parts',
      ...WHERE,
      'limits?':
        'of a platform, those that it has: `concurrent` (invocations at once), `perMinute`, `startsPerSecond` (new environments), `timeoutMs` and `payloadBytes` of an invocation',
      'chunkWhy?': 'a sentence: why `--chunk auto` chose this size',
      'readBack?': 'bytes that will be read back to prove the copy',
      'growing?': '`true`: the size of the stream is not known yet, and `bytes` and `parts` are what is known of it',
      notices: 'sentences for the user',
      noticeCodes: 'the codes of these [notices](notices.md), in the same order',
      attributes: 'what the copy is given in addition to its bytes',
      dryRun: 'whether nothing will be done',
      'move?': '`true`: each source is deleted once its copy is proved',
      'job?': "the job's id, if one is kept",
    },
  },
  resume: {
    when: 'an unfinished job is continued; in a dry run: it would be, by what its journal says',
    fields: { job: 'its id', parts: 'parts that are there already', bytes: 'bytes of these parts', ...OF_OBJECT },
  },
  notice: {
    when: 'the user should know something',
    fields: { code: 'of the [notice](notices.md)', message: 'a sentence' },
  },
  part: {
    when: 'a part is copied',
    fields: {
      partNumber: '1 and up',
      bytes: 'its size',
      'sums?': 'the checksums of its bytes, by name, in hex',
      attempt: 'which attempt succeeded',
      elapsedMs: 'how long it took',
      ...OF_OBJECT,
    },
  },
  retry: {
    when: 'a part, or a request of xfer itself, failed and will be repeated',
    fields: {
      'partNumber?': 'of a part',
      'call?': 'of a request: its name',
      'side?': 'of a request: `source`, `destination`, or `engine` for the platform',
      attempt: 'which attempt failed',
      code: 'of the [error](errors.md)',
      message: 'what happened',
      'delayMs?': 'how long the part waits',
      ...OF_OBJECT,
    },
  },
  throttle: {
    when: 'the platform or a store refuses because it has too much to do',
    fields: {
      code: 'of the [error](errors.md)',
      message: 'what happened',
      'store?': '`source` or `destination`; absent: the platform',
      limit: 'invocations at once from now on',
      delayMs: 'how long nothing new starts',
    },
  },
  hedge: {
    when: 'a part that is far behind is started a second time',
    fields: { partNumber: '1 and up', bytes: 'its size', elapsedMs: 'how long it has been under way', ...OF_OBJECT },
  },
  outage: {
    when: 'a store or the platform does not answer any more, or answers again',
    fields: {
      peer: '`source`, `destination`, `platform`, or `store` if both sides are one store',
      where: 'its address',
      'code?': 'of the last failure',
      'message?': 'the last failure',
      forMs: 'how long it has not answered',
      over: 'whether it answers again',
    },
  },
  phase: {
    when: 'the copy does something else than before, which begins with `copying`',
    fields: {
      phase: 'as in `progress`',
      'parts?': 'to assemble',
      'bytes?': 'to read',
      'objects?': 'of a prefix: to delete',
      ...OF_OBJECT,
    },
  },
  progress: {
    when: 'twice a second or less often, and at the end',
    fields: {
      ...NOW,
      bytesDone:
        'bytes copied, also by earlier runs of the job; of the phase `verifying`, and of `assembling` after it: bytes read',
      bytesTotal: 'bytes to copy, or to read',
      resumedBytes: 'bytes that earlier runs of the job had copied',
      partsDone: 'parts copied',
      partsTotal: 'parts to copy',
      'growing?': '`true`: the totals are what has come of the stream so far',
      ...COUNTS,
    },
  },
  done: {
    when: 'the last event of a copy that succeeded',
    fields: {
      ...ENDS,
      bytes: 'size of the object',
      parts: 'how many',
      partBytes: 'size of a part',
      route: 'as in `plan`',
      engine: 'as in `plan`',
      'etag?': 'of the copy; absent, as the next two, after a dry run',
      'versionId?': 'of the copy, if its bucket keeps versions',
      'crc32?': 'of the object, base64; absent if it was not computed',
      'sums?': 'the checksums that were computed of the object, by name, in hex; absent with `--verify none`',
      'dryRun?': 'true: nothing was done',
      attributes: 'what the copy has in addition to its bytes',
      proof: 'what the copy was proved with: [What a proof is worth](../integrity.md)',
      'pinnedByTime?': 'true: the source has no ETag, so its Last-Modified and its size pinned it',
      'uncompared?': 'true: the source has no checksum to compare with what was read',
      'condition?': 'how `--no-clobber` or `--if-match` was kept: `atomic`, `checked` or `asked`',
      'move?': '`true`: the source was deleted',
      'replaces?': 'of a dry run: the object at the destination that would be replaced, with `bytes` and `etag`',
      resumedBytes: 'bytes of parts that an earlier run had copied',
      ...TOTALS,
      hedgedBytes: 'bytes of parts that were started a second time',
    },
  },
  error: {
    when: 'the last event of a command that failed',
    fields: {
      code: 'of the [error](errors.md)',
      message: 'what happened',
      hint: 'what to do',
      exitCode: 'the [exit status](exit-codes.md)',
      'job?': 'the id of the job that can be resumed',
      'objects?': 'of a prefix: the counts, as in `done`',
      'pairs?': 'of `xfer verify -r`: the counts, as in `done`',
      'methods?': 'likewise: what proved the equal pairs, as in `done`',
    },
  },
}

/** @type {Kinds} */
const OF_A_PREFIX = {
  plan: {
    when: 'once, before the first object is copied',
    fields: {
      recursive: '`copy` or `sync`',
      ...PLANNED_ENDS,
      ...WHERE,
      'limits?': 'of a platform, as in the plan of one object',
      notices: 'sentences for the user',
      noticeCodes: 'the codes of these [notices](notices.md), in the same order',
      dryRun: 'whether nothing will be done',
      'move?': '`true`: each source is deleted once its copy is proved',
      'job?': "the job's id, if one is kept",
    },
  },
  object: {
    when: 'an object is done; in a dry run, would be, in the order of the names',
    fields: {
      action:
        '`copy`, `move`, `delete`, `gone` if it was deleted at the source since it was listed, or in a dry run `skip`',
      name: 'the key without the prefix',
      'bytes?': 'its size',
      'etag?': 'of the copy',
      'crc32?': 'of the object, base64',
      'sums?': 'the checksums that were computed of it, by name, in hex',
      'versionId?': 'of the copy, if its bucket keeps versions',
      'proof?': 'what the copy was proved with',
      'why?': 'in a dry run: the [reason](../guides/prefixes.md#what-a-sync-copies)',
      'bytesThere?': "in a dry run: the size of the destination's object",
    },
  },
  failure: {
    when: 'an object failed',
    fields: {
      name: 'the key without the prefix',
      code: 'of the [error](errors.md)',
      message: 'what happened',
      hint: 'what to do',
    },
  },
  progress: {
    when: 'twice a second or less often, and at the end',
    fields: {
      ...NOW,
      bytesDone: 'bytes copied',
      bytesTotal: 'bytes to copy, of what was chosen so far and what was counted ahead of the listing',
      resumedBytes:
        'those of the bytes copied that earlier runs of the job had copied, of objects that they left unfinished',
      objectsDone: 'objects copied; those that failed are not among them',
      objectsTotal:
        'objects to copy: those chosen so far, and those counted ahead of the listing, of which some may be skipped yet',
      objectsSkipped: 'objects that need not be copied',
      objectsFiltered: 'objects that the filters leave out',
      objectsFailed: 'objects that failed',
      objectsPerSecond: 'objects copied a second: the rate of the last seconds',
      'objectsDiffering?': 'of a comparison: names that differ, or that one side alone has',
      'objectsDeleted?': 'of the phase `deleting`: objects deleted',
      'objectsToDelete?': 'of the phase `deleting`: objects to delete',
      listing: 'whether the totals are not known yet: there may be more to come',
      ...COUNTS,
    },
  },
  done: {
    when: 'the last event of a job that succeeded',
    fields: {
      recursive: '`copy` or `sync`',
      ...ENDS,
      engine: 'as in `plan`; `server` if the store copied any object',
      'byStore?': 'within one store: objects that it copied by itself',
      ...OBJECTS,
      bytes: 'bytes copied',
      resumedBytes: 'those of them that earlier runs of the job had copied, of objects that they left unfinished',
      proof: 'by proof: how many objects it proved',
      'pinnedByTime?': 'objects whose source has no ETag, so that its Last-Modified and its size pinned it',
      'uncompared?': 'objects whose source has no checksum to compare with what was read',
      'unmatched?':
        'the filters that matched no name, each as `{ include }` or `{ exclude }`; not known if a resumed job did not list all names',
      'dryRun?': 'true: nothing was done',
      'move?': '`true`: the sources were deleted',
      ...TOTALS,
    },
  },
}

const OF_DOWNLOAD = downloadKinds({ source: ENDS.source, where: WHERE, totals: TOTALS })

const OTHERS = `## Other commands

| command | each line | the last line |
| --- | --- | --- |
| \`xfer jobs\` | \`job\`: \`id\`, \`path\`, \`state\`, \`source\`, \`destination\`, \`createdMs\`, \`updatedMs\`, \`bytes\`, \`parts\`, \`bytesDone\`, \`partsDone\`, \`uploadId\`, \`ended\`; of a prefix \`recursive\` and \`copied\`; of a damaged one \`problem\` | \`done\`: \`jobs\` |
| \`xfer abort\` | | \`done\`: \`job\`, \`source\`, \`destination\`, \`bytes\`, \`parts\`, \`uploads\` (each \`uploadId\` and \`outcome\`), \`maybeCompleted\` |
| \`xfer clean\` | \`upload\`: \`location\`, \`key\`, \`uploadId\`, \`initiatedMs\`, \`outcome\`, \`job\`, \`error\` | \`done\`: \`location\`, \`olderThanMs\`, and how many were \`aborted\`, \`gone\`, \`left\`, \`kept\`, \`undated\`, \`young\` |
| \`xfer doctor\` | \`check\`: \`name\`, \`ok\`, \`detail\`, \`hint\` | \`done\`: \`ok\` |
| \`xfer deploy\` | | \`done\`: \`apihost\`, \`actions\` (each \`name\`, \`outcome\`, \`version\`, …); with \`--undeploy\` also \`packages\` |
`

/** @param {string} when */
function sentenceOf(when) {
  return /^(once|twice|the last) /.test(when) ? when[0].toUpperCase() + when.slice(1) : `When ${when}`
}

/** @param {Kinds} kinds */
function sectionsOf(kinds) {
  return Object.entries(kinds)
    .map(([type, { when, fields }]) => {
      const rows = Object.entries(fields).map(([name, meaning]) => {
        const often = name.endsWith('?') ? ' sometimes ' : ' '
        return `| \`${name.replace('?', '')}\` |${often}| ${meaning} |`
      })
      return `### ${type}\n\n${sentenceOf(when)}.\n\n| field | | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`
    })
    .join('\n')
}

/** @returns {string} the page */
function eventsPage() {
  return `# Events

${NOTE}

\`--json\` prints one event on each line of standard output; in Node.js \`onEvent\` gets the same objects. Every event has a
\`type\` and a \`time\` (ISO 8601, UTC). Sizes are bytes, durations milliseconds. The last event is always \`done\` or
\`error\`. New types and fields may be added; skip those that you do not know.

## A copy of one object

${sectionsOf(OF_ONE_OBJECT)}
## A copy or sync of a prefix

\`resume\`, \`notice\`, \`part\`, \`retry\`, \`throttle\`, \`hedge\`, \`outage\`, \`phase\` and \`error\` are as above.
Of one object in parts they also have its \`name\`.

${sectionsOf(OF_A_PREFIX)}
## xfer verify

\`retry\`, \`throttle\`, \`hedge\`, \`outage\`, \`progress\` and \`error\` are as above.

${sectionsOf(OF_VERIFY)}
## xfer verify -r

\`notice\`, \`retry\`, \`throttle\`, \`hedge\`, \`outage\` and \`error\` are as above; those of one pair also have its \`name\`.

${sectionsOf(OF_VERIFY_PREFIX)}
## xfer cat, and xfer copy to standard output

These events are printed on standard error, because the bytes are on standard output; in Node.js they are those of
\`download\`. \`notice\`, \`retry\`, \`throttle\`, \`outage\`, \`progress\` and \`error\` are as above.

${sectionsOf(OF_DOWNLOAD)}
${OTHERS}`
}

module.exports = { eventsPage, OF_ONE_OBJECT, OF_A_PREFIX, OF_DOWNLOAD, OF_VERIFY, OF_VERIFY_PREFIX }
