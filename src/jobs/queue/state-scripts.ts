// Lua scripts that change the state of the jobs in Redis atomically. If Redis loses the state, the gateway restores it from
// the disk.

/**
 * KEYS of every script: 1. the fields of the job; 2. the bytes of each finished chunk; 3. the chunks in the queue;
 * 4. the list of all jobs. The scripts build other keys from the prefix, because all keys are on one node of a cluster.
 *
 * `openMore` opens chunks for the queue until the client has `window` open chunks. A job always gets at least one open chunk.
 */
const OPEN_MORE = `
local function openMore(job, done, open, client, key, window)
  local opened = {}
  local chunks = tonumber(redis.call('HGET', job, 'chunks'))
  while redis.call('SCARD', open) == 0 or redis.call('SCARD', client) < window do
    local chunk = redis.call('HINCRBY', job, 'next', 1) - 1
    if chunk >= chunks then
      redis.call('HSET', job, 'next', chunks)
      break
    end
    if redis.call('HEXISTS', done, chunk) == 0 then
      redis.call('SADD', open, chunk)
      redis.call('SADD', client, key .. ':' .. chunk)
      opened[#opened + 1] = chunk
      opened[#opened + 1] = redis.call('SCARD', client)
    end
  end
  return opened
end
local function closeAll(job, open, client, key)
  for _, chunk in ipairs(redis.call('SMEMBERS', open)) do
    redis.call('SREM', client, key .. ':' .. chunk)
  end
  redis.call('DEL', open)
end
`;

/**
 * Admits a new job, or more bytes of a job. Returns '' if the job fits, or the exceeded limit and the key of an ended job to
 * delete. The key is '' if the job would not fit even without the ended jobs. Of the client whose ended jobs take most, the
 * oldest ended job is deleted. Ended jobs do not count as jobs of a client.
 * ARGV: 1. prefix; 2. key; 3. client; 4. now; 5. bytes; 6. and 7. the largest numbers of jobs and bytes of a client; 8. and
 * 9. the largest numbers of jobs and bytes of all clients. All clients without an API key together can have half of them;
 * 10. '1' for an anonymous client, else '0'.
 */
const ADMIT = `
local p, key, client, now, more, anonymous = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), ARGV[10]
local isNew = redis.call('EXISTS', KEYS[1]) == 0
local added = { jobs = isNew and 1 or 0, bytes = more }
local function newScope() return { active = { jobs = 0, bytes = 0 }, ended = { jobs = 0, bytes = 0 } } end
local own, ofAnonymous, all = newScope(), newScope(), newScope()
local function count(sum, bytes)
  sum.jobs = sum.jobs + 1
  sum.bytes = sum.bytes + bytes
end
local endedJobs = {}
for _, other in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
  local known = redis.call('HMGET', p .. 'job:' .. other, 'client', 'anonymous', 'bytes', 'state')
  local bytes = tonumber(known[3] or '0') or 0
  local part = (known[4] == 'done' or known[4] == 'failed') and 'ended' or 'active'
  count(all[part], bytes)
  if known[1] == client then count(own[part], bytes) end
  if known[2] == '1' then count(ofAnonymous[part], bytes) end
  if part == 'ended' then
    endedJobs[#endedJobs + 1] = { key = other, client = known[1], anonymous = known[2], jobs = 1, bytes = bytes }
  end
end
local function isIn(scope, job)
  return scope == all or (scope == own and job.client == client) or (scope == ofAnonymous and job.anonymous == '1')
end
local function excess(unit, max, scope, isEndedFree)
  local active, ended = added[unit] + scope.active[unit], isEndedFree and 0 or scope.ended[unit]
  if active + ended <= max then return nil end
  if active > max then return '' end
  local ofClient = {}
  for _, job in ipairs(endedJobs) do
    if isIn(scope, job) then ofClient[job.client] = (ofClient[job.client] or 0) + job[unit] end
  end
  local victim = nil
  for _, job in ipairs(endedJobs) do
    if isIn(scope, job) and (not victim or ofClient[job.client] > ofClient[victim.client]) then victim = job end
  end
  return victim and victim.key or ''
end
local maxJobs, maxBytes = tonumber(ARGV[8]), tonumber(ARGV[9])
local limits = {
  { 'clientJobs', 'jobs', tonumber(ARGV[6]), own, true },
  { 'clientBytes', 'bytes', tonumber(ARGV[7]), own },
}
if anonymous == '1' then
  limits[3] = { 'anonymousJobs', 'jobs', math.floor(maxJobs / 2), ofAnonymous }
  limits[4] = { 'anonymousBytes', 'bytes', maxBytes / 2, ofAnonymous }
end
limits[#limits + 1] = { 'jobs', 'jobs', maxJobs, all }
limits[#limits + 1] = { 'bytes', 'bytes', maxBytes, all }
local victim = ''
local exceeded = ''
for _, limit in ipairs(limits) do
  local found = excess(unpack(limit, 2))
  if found == '' then return { limit[1], '' } end
  if found and victim == '' then exceeded, victim = limit[1], found end
end
if victim ~= '' then return { exceeded, victim } end
if isNew then
  redis.call('HSET', KEYS[1], 'state', 'uploading', 'client', client, 'createdAt', now, 'anonymous', anonymous)
  redis.call('ZADD', KEYS[4], now, key)
end
redis.call('HINCRBY', KEYS[1], 'bytes', more)
return ''
`;

/**
 * Stores a job from the disk, unless Redis has the job.
 * ARGV: 1. key; 2. createdAt; 3. the fields of the job as JSON; 4. its finished chunks as JSON; 5. the list of the jobs of
 * its API key, or '' without an API key.
 */
const TAKE_UP = `
local known = redis.call('HGET', KEYS[1], 'state')
if known and known ~= 'uploading' then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], unpack(cjson.decode(ARGV[3])))
for _, pair in ipairs(cjson.decode(ARGV[4])) do redis.call('HSET', KEYS[2], pair[1], pair[2]) end
redis.call('ZADD', KEYS[4], ARGV[2], ARGV[1])
if ARGV[5] ~= '' then redis.call('ZADD', ARGV[5], ARGV[2], ARGV[1]) end
return 1
`;

/**
 * Marks a chunk as done, and opens the next chunks of the job.
 * ARGV: 1. prefix; 2. key; 3. window; 4. the chunk, or -1; 5. its bytes; then each counter, followed by its increment.
 * Returns the state of the job, its number of finished chunks, its number of chunks, and '1' if its rows have references. Then
 * each opened chunk follows, with the number of chunks of the client in the queue.
 */
const ADVANCE = `${OPEN_MORE}
local p, key, window, chunk = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'running' then return { state or 'unknown' } end
local client = p .. 'client:' .. redis.call('HGET', KEYS[1], 'client')
if chunk ~= '-1' then
  if redis.call('HSETNX', KEYS[2], chunk, ARGV[5]) == 1 then
    redis.call('HINCRBY', KEYS[1], 'chunksDone', 1)
    for at = 6, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[at], ARGV[at + 1]) end
  end
  redis.call('SREM', KEYS[3], chunk)
  redis.call('SREM', client, key .. ':' .. chunk)
end
local opened = openMore(KEYS[1], KEYS[2], KEYS[3], client, key, window)
local known = redis.call('HMGET', KEYS[1], 'chunksDone', 'chunks', 'references')
local result = { 'running', known[1], known[2], known[3] or '' }
for _, number in ipairs(opened) do result[#result + 1] = tostring(number) end
return result
`;

/**
 * Ends a running job, and replaces its reserved bytes by its real bytes. Returns 0 if the job did not run, else 1.
 * ARGV: 1. prefix; 2. key; then fields and values.
 */
const END = `${OPEN_MORE}
local p, key = ARGV[1], ARGV[2]
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
closeAll(KEYS[1], KEYS[3], p .. 'client:' .. redis.call('HGET', KEYS[1], 'client'), key)
local bytes = tonumber(redis.call('HGET', KEYS[1], 'inputBytes') or '0')
for _, more in ipairs(redis.call('HVALS', KEYS[2])) do bytes = bytes + tonumber(more) end
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'bytes', string.format('%.0f', bytes), unpack(ARGV, 3))
return 1
`;

/** Removes a job from Redis. ARGV: 1. prefix; 2. key. */
const FORGET = `${OPEN_MORE}
local p, key = ARGV[1], ARGV[2]
local client = redis.call('HGET', KEYS[1], 'client')
if client then
  closeAll(KEYS[1], KEYS[3], p .. 'client:' .. client, key)
  redis.call('ZREM', p .. 'of:' .. client, key)
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], p .. 'begun:' .. key)
redis.call('ZREM', KEYS[4], key)
`;

/**
 * Returns the fields of the newest jobs of an API key. Removes a lost job from the list. TAKE_UP adds the job again.
 * ARGV: 1. prefix; 2. the list of the jobs; 3. the largest number of jobs.
 */
const LIST = `
local found = {}
for _, key in ipairs(redis.call('ZREVRANGE', ARGV[2], 0, ARGV[3] - 1)) do
  local fields = redis.call('HGETALL', ARGV[1] .. 'job:' .. key)
  if #fields > 0 then found[#found + 1] = fields else redis.call('ZREM', ARGV[2], key) end
end
return found
`;

/**
 * Returns the numbers of uploading, running, done and failed jobs, the bytes of all jobs, and of the jobs that have not
 * ended: their bytes, and the number and bytes of those without an API key. ARGV: 1. prefix.
 */
const TALLY = `
local counts = { uploading = 0, running = 0, done = 0, failed = 0 }
local bytes, activeBytes, anonymousJobs, anonymousBytes = 0, 0, 0, 0
for _, key in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
  local known = redis.call('HMGET', ARGV[1] .. 'job:' .. key, 'state', 'bytes', 'anonymous')
  local held = tonumber(known[2] or '0') or 0
  if counts[known[1]] then counts[known[1]] = counts[known[1]] + 1 end
  bytes = bytes + held
  if known[1] == 'uploading' or known[1] == 'running' then
    activeBytes = activeBytes + held
    if known[3] == '1' then
      anonymousJobs = anonymousJobs + 1
      anonymousBytes = anonymousBytes + held
    end
  end
end
local function text(number) return string.format('%.0f', number) end
return { counts.uploading, counts.running, counts.done, counts.failed, text(bytes), text(activeBytes), anonymousJobs,
  text(anonymousBytes) }
`;

export const STATE_SCRIPTS = { ADMIT, TAKE_UP, ADVANCE, END, FORGET, LIST, TALLY } as const;
