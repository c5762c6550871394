"""Lua scripts: each is one atomic step of the contract. Redis 6.2 and later."""

_EFFECTS = "if redis.replicate_commands then redis.replicate_commands() end\n"  # 6.2 needs it before a random command

# KEYS issued, episodes; ARGV (id, purpose, data)...  -> number of new episodes
ISSUE = """
local new = 0
for i = 1, #ARGV, 3 do
  if redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) == 1 then
    redis.call('XADD', KEYS[2], '*', 'id', ARGV[i], 'data', ARGV[i + 2])
    new = new + 1
  end
end
return new
"""

# KEYS episodes, seen, discards; ARGV group, (entry, id)...  -> 1 per entry that is settled (and now dropped), else 0
DROP_SETTLED = """
local out = {}
for i = 2, #ARGV, 2 do
  local settled = redis.call('SISMEMBER', KEYS[2], ARGV[i + 1]) + redis.call('HEXISTS', KEYS[3], ARGV[i + 1])
  if settled > 0 then
    redis.call('XACK', KEYS[1], ARGV[1], ARGV[i])
    redis.call('XDEL', KEYS[1], ARGV[i])
  end
  out[#out + 1] = settled > 0 and 1 or 0
end
return out
"""

_BURY = """
local function bury(episodes, dead, discards, group, entry, id, data, reason, ledger)
  redis.call('XADD', dead, '*', 'id', id, 'data', data, 'reason', reason)
  redis.call('HSETNX', discards, id, ledger)
  redis.call('XACK', episodes, group, entry)
  redis.call('XDEL', episodes, entry)
end
local function ledger_line(template, id)
  local now = redis.call('TIME')
  return cmsgpack.pack({schema = tonumber(template), id = id, reason = REASON, at = tonumber(now[1]) + now[2] / 1e6})
end
"""

# KEYS episodes, seen, discards, dead; ARGV group, worker, min idle ms, count, max deliveries, schema, reason
# -> (entry, deliveries, data)...
RECLAIM = (
    _EFFECTS
    + "local REASON = ARGV[7]\n"
    + _BURY
    + """
local out, cursor, left = {}, '0-0', tonumber(ARGV[4])
repeat
  local page = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3], cursor, 'COUNT', math.max(left, 1))
  cursor = page[1]
  for _, item in ipairs(page[2]) do
    local entry, row = item[1], item[2]
    if not row then
      redis.call('XACK', KEYS[1], ARGV[1], entry)
    else
      local id, data = row[2], row[4]
      local deliveries = redis.call('XPENDING', KEYS[1], ARGV[1], entry, entry, 1)[1][4]
      if redis.call('SISMEMBER', KEYS[2], id) + redis.call('HEXISTS', KEYS[3], id) > 0 then
        redis.call('XACK', KEYS[1], ARGV[1], entry)
        redis.call('XDEL', KEYS[1], entry)
      elseif deliveries > tonumber(ARGV[5]) then
        bury(KEYS[1], KEYS[4], KEYS[3], ARGV[1], entry, id, data, REASON, ledger_line(ARGV[6], id))
      else
        out[#out + 1] = {entry, deliveries, data, id}
        left = left - 1
      end
    end
  end
until cursor == '0-0' or left <= 0
return out
"""
)

_OWNED = """
local held = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
if not held or held[2] ~= ARGV[2] or held[4] ~= tonumber(ARGV[4]) then return 0 end
"""

# KEYS episodes; ARGV group, worker, entry, deliveries  -> 1, or 0 where the lease is lost
RENEW = (
    _EFFECTS
    + _OWNED
    + """
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'JUSTID')
return 1
"""
)

# KEYS episodes, discards, dead; ARGV group, worker, entry, deliveries, returned consumer, idle ms, deliveries to keep,
# max deliveries, schema, reason, id, data  -> 1, or 0 where the lease is lost
RELEASE = (
    _EFFECTS
    + "local REASON = ARGV[10]\n"
    + _OWNED
    + _BURY
    + """
if tonumber(ARGV[7]) >= tonumber(ARGV[8]) then
  bury(KEYS[1], KEYS[3], KEYS[2], ARGV[1], ARGV[3], ARGV[11], ARGV[12], REASON, ledger_line(ARGV[9], ARGV[11]))
else
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[5], 0, ARGV[3], 'IDLE', ARGV[6], 'RETRYCOUNT', ARGV[7], 'JUSTID')
end
return 1
"""
)

# KEYS episodes; ARGV group, entry
ACK = """
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
return redis.call('XDEL', KEYS[1], ARGV[2])
"""

# KEYS trajectories, seen, discards; ARGV group, id, data, capacity  -> ok | duplicate | full
# Settled entries are deleted, so what the stream holds and the group has not read is the unread depth.
PUSH = """
if redis.call('SISMEMBER', KEYS[2], ARGV[2]) + redis.call('HEXISTS', KEYS[3], ARGV[2]) > 0 then return 'duplicate' end
local unread = redis.call('XLEN', KEYS[1]) - redis.call('XPENDING', KEYS[1], ARGV[1])[1]
if unread >= tonumber(ARGV[4]) then return 'full' end
redis.call('SADD', KEYS[2], ARGV[2])
redis.call('XADD', KEYS[1], '*', 'id', ARGV[2], 'data', ARGV[3])
return 'ok'
"""

# KEYS trajectories, trained, discards; ARGV group, (entry, id)...  -> how many were pending
SETTLE = """
local settled = 0
for i = 2, #ARGV, 2 do
  if redis.call('XACK', KEYS[1], ARGV[1], ARGV[i]) == 1 then
    settled = settled + 1
    redis.call('XDEL', KEYS[1], ARGV[i])
    if redis.call('HEXISTS', KEYS[3], ARGV[i + 1]) == 0 then redis.call('HINCRBY', KEYS[2], ARGV[i + 1], 1) end
  end
end
return settled
"""

# KEYS stream, dead, discards; ARGV group, entry, id, data, reason, ledger line
BURY = """
redis.call('XADD', KEYS[2], '*', 'id', ARGV[3], 'data', ARGV[4], 'reason', ARGV[5])
redis.call('HSETNX', KEYS[3], ARGV[3], ARGV[6])
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
return redis.call('XDEL', KEYS[1], ARGV[2])
"""

_NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

# KEYS beats, beat expiry; ARGV who, data, ttl ms
BEAT = (
    _EFFECTS
    + _NOW
    + """
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
return 1
"""
)

# KEYS beats, beat expiry  -> heartbeats alive
LIVE = (
    _EFFECTS
    + _NOW
    + """
for _, who in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
  redis.call('HDEL', KEYS[1], who)
  redis.call('ZREM', KEYS[2], who)
end
return redis.call('HVALS', KEYS[1])
"""
)
