'use strict'

/**
 * Scripts for EVAL: each is one step that no other client comes between. Each answers a list whose first entry is a word: OK, or
 * why not. The ETag is the SHA-1 of the value, in quotes, whichever program wrote it; Redis has no versions. The server does
 * nothing else meanwhile, so of a value above 1 MiB it is that of 256 samples and of the size.
 * https://redis.io/docs/latest/develop/programmability/eval-intro/
 */

const TAG = `local function tag(key)
  local size = redis.call('STRLEN', key)
  if size <= 1048576 then return '"' .. redis.sha1hex(redis.call('GET', key)) .. '"' end
  local samples = { size }
  for i = 0, 255 do
    local at = math.floor(i * (size - 4096) / 255)
    samples[#samples + 1] = redis.call('GETRANGE', key, at, at + 4095)
  end
  return '"sampled-' .. redis.sha1hex(table.concat(samples)) .. '"'
end
local function kind(key) return redis.call('TYPE', key).ok end
`

/** KEYS: key, metadata. Answers OK, size, ETag, milliseconds to live (negative: for ever), names and values; NONE, WRONGTYPE. */
const LOOK = `${TAG}
local is = kind(KEYS[1])
if is == 'none' then return {'NONE'} end
if is ~= 'string' then return {'WRONGTYPE'} end
local described = KEYS[2] and kind(KEYS[2]) == 'hash' and redis.call('HGETALL', KEYS[2]) or {}
return {'OK', redis.call('STRLEN', KEYS[1]), tag(KEYS[1]), redis.call('PTTL', KEYS[1]), described}`

/** KEYS: partial. ARGV: milliseconds to live. It lapses by itself if nobody goes on. */
const BEGIN = `redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return {'OK'}`

/** KEYS: partial. ARGV: offset, bytes, milliseconds to live. Answers GONE if it has lapsed. */
const WRITE = `if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE'} end
redis.call('SETRANGE', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {'OK'}`

/** Notes a part of a partial. KEYS: partial, parts. ARGV: its number, size, milliseconds to live. Answers GONE if it has lapsed. */
const NOTE = `if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE'} end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return {'OK'}`

/** KEYS: partial, parts. Answers OK, then numbers and sizes; GONE. */
const PARTS = `if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE'} end
return {'OK', unpack(redis.call('HGETALL', KEYS[2]))}`

/**
 * Gives a partial its key. KEYS: partial, key, metadata, uploads, parts. ARGV: condition ('' for none, '*' for no key, or an ETag),
 * milliseconds to live (0: for ever), size, id of the upload, then names and values. Answers OK and the ETag; GONE, LENGTH,
 * WRONGTYPE, EXISTS, CHANGED.
 */
const COMMIT = `${TAG}
if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE'} end
if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[3]) then return {'LENGTH'} end
local is = kind(KEYS[2])
if is ~= 'none' and is ~= 'string' then return {'WRONGTYPE'} end
local about = kind(KEYS[3])
if about ~= 'none' and about ~= 'hash' then return {'WRONGTYPE'} end
if ARGV[1] == '*' and is ~= 'none' then return {'EXISTS'} end
if ARGV[1] ~= '' and ARGV[1] ~= '*' and (is == 'none' or tag(KEYS[2]) ~= ARGV[1]) then return {'CHANGED'} end
local etag = tag(KEYS[1])
redis.call('RENAME', KEYS[1], KEYS[2])
redis.call('PERSIST', KEYS[2])
redis.call('DEL', KEYS[3])
redis.call('HSET', KEYS[3], 'etag', etag)
for at = 5, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1]) end
redis.call('HDEL', KEYS[4], ARGV[4])
redis.call('DEL', KEYS[5])
if ARGV[2] ~= '0' then
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
  redis.call('PEXPIRE', KEYS[3], ARGV[2])
end
return {'OK', etag}`

/** KEYS: key, metadata. ARGV: its ETag, or '' for any. Answers OK, also for no key; CHANGED, WRONGTYPE. */
const REMOVE = `${TAG}
local is = kind(KEYS[1])
if is ~= 'none' and is ~= 'string' then return {'WRONGTYPE'} end
if ARGV[1] ~= '' and (is == 'none' or tag(KEYS[1]) ~= ARGV[1]) then return {'CHANGED'} end
redis.call('DEL', KEYS[1])
if kind(KEYS[2]) == 'hash' then redis.call('DEL', KEYS[2]) end
return {'OK'}`

/** KEYS: uploads. ARGV: what comes before their ids in the keys of their partials. Answers OK, then ids and when they began. */
const UPLOADS = `local found = {'OK'}
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  if redis.call('EXISTS', ARGV[1] .. all[at]) == 1 then
    found[#found + 1] = all[at]
    found[#found + 1] = all[at + 1]
  end
end
return found`

module.exports = { BEGIN, COMMIT, LOOK, NOTE, PARTS, REMOVE, UPLOADS, WRITE }
