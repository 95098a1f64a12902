'use strict'

/** The events of `xfer verify`, of two objects and of two prefixes. */

const { COUNTS, ENDS, NOW, PLANNED_ENDS, TOTALS, WHERE } = require('./event-fields')

/** @typedef {import('./event-fields').Kinds} Kinds */

/** @type {Kinds} */
const OF_VERIFY = {
  plan: {
    when: 'once, before anything is read',
    fields: {
      ...PLANNED_ENDS,
      bytes: 'size of both objects',
      method: '`stored-crc32`, `stored-crc32c`, `stored-crc64nvme`, `stored-md5`, `etag`, `composite-crc32` or `read`',
      reads: 'the locations that are read',
      ranges: 'how many',
      rangeBytes: 'size of a range',
      ...WHERE,
    },
  },
  done: {
    when: 'the last event if the objects are equal',
    fields: {
      ...ENDS,
      bytes: 'size of both objects',
      method: 'what proved it, as in `plan`',
      'sum?': 'which checksum `value` is, if the objects were read',
      value: 'the CRC-32 (base64), the composite one or the ETag that both have',
      engine: 'as in `plan`',
      readBytes: 'bytes that were read',
      ...TOTALS,
      hedgedBytes: 'bytes of ranges that were started a second time',
    },
  },
}

/** @type {Kinds} */
const OF_VERIFY_PREFIX = {
  plan: {
    when: 'once, before anything is compared',
    fields: {
      recursive: '`verify`',
      ...PLANNED_ENDS,
      ...WHERE,
      notices: 'sentences for the user',
      noticeCodes: 'the codes of these [notices](notices.md), in the same order',
    },
  },
  difference: {
    when: 'a name is not equal on both sides; in no order',
    fields: {
      name: 'the key without the prefix',
      found:
        '`missing`: only the source has it; `extra`: only the destination has it; `differs`: both have it, with other contents',
      'bytes?': "the size of the source's object",
      'bytesThere?': "the size of the destination's object",
      'why?':
        'of `differs`, what shows it: `size`, `checksum`, `bytes`, or `damaged` if an object is not what its own store keeps the checksum of',
      'reason?': 'of `differs`: a clause',
      'start?': 'if the objects were read: the first byte of the first range that differs',
      'end?': 'its last byte',
    },
  },
  failure: {
    when: 'a name could not be compared',
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
      bytesDone: 'size of the objects that were compared, however that was done',
      bytesTotal: 'size of the objects that were found so far, those counted ahead of the listing included',
      resumedBytes: '0',
      objectsDone: 'names that were compared, or that only one side has; those that failed are not among them',
      objectsTotal: 'names that were found so far, those counted ahead of the listing included',
      objectsSkipped: '0',
      objectsFiltered: 'names that the filters leave out',
      objectsDiffering: 'names that are not equal',
      objectsFailed: 'names that could not be compared',
      objectsPerSecond: 'names compared a second: the rate of the last seconds',
      listing: 'whether the totals are not known yet: there may be more to come',
      ...COUNTS,
    },
  },
  done: {
    when: 'the last event if everything is equal',
    fields: {
      recursive: '`verify`',
      ...ENDS,
      engine: 'as in `plan`',
      pairs: 'counts of names: `listed`, `equal`, `differing`, `missing`, `extra`, `failed`, `filtered`',
      methods:
        'by what proved it, how many pairs are equal: as the `method` of two objects, or `empty` if both have no bytes',
      bytes: 'size of the equal objects of the source',
      readBytes: 'bytes that were read',
      'unmatched?': 'the filters that matched no name, each as `{ include }` or `{ exclude }`',
      ...TOTALS,
    },
  },
}

module.exports = { OF_VERIFY, OF_VERIFY_PREFIX }
