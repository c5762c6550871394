"""What Redis says of one run, by one script: a pipeline of them looks at all runs in one round trip."""

from __future__ import annotations

from typing import Any

from mobilegym.operator.observed import Numbers
from mobilegym.protocol.codec import decode
from mobilegym.protocol.errors import CodecError
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.streams.base import Counters
from mobilegym.protocol.streams.keys import LEARNER, WORKERS, Keys

# KEYS issued, episodes, trajectories, trained, discards, dead, beats, beat expiry; ARGV workers' group, learner's group
# -> now ms, issued, episodes, leased, trajectories, pending, trained, discarded, dead, first unread, beats, expiry
# Only the entry's id leaves Redis: a trajectory is 100 kB. It only reads, so it may run on any replica.
SCRIPT = """
local function pending(key, group)
  local found = redis.pcall('XPENDING', key, group)
  return found.err and 0 or found[1]
end
local function unread(key, group)
  local groups = redis.pcall('XINFO', 'GROUPS', key)
  if groups.err then return '' end
  for _, row in ipairs(groups) do
    local fields = {}
    for i = 1, #row, 2 do fields[row[i]] = row[i + 1] end
    if fields['name'] == group then
      local first = redis.call('XRANGE', key, '(' .. fields['last-delivered-id'], '+', 'COUNT', 1)[1]
      return first and first[1] or ''
    end
  end
  return ''
end
local time = redis.call('TIME')
return {
  time[1] * 1000 + math.floor(time[2] / 1000),
  redis.call('HLEN', KEYS[1]),
  redis.call('XLEN', KEYS[2]), pending(KEYS[2], ARGV[1]),
  redis.call('XLEN', KEYS[3]), pending(KEYS[3], ARGV[2]),
  redis.call('HLEN', KEYS[4]), redis.call('HLEN', KEYS[5]), redis.call('XLEN', KEYS[6]),
  unread(KEYS[3], ARGV[2]),
  redis.call('HVALS', KEYS[7]),
  redis.call('ZRANGE', KEYS[8], 0, -1, 'WITHSCORES'),
}
"""
ARGS = (WORKERS, LEARNER)


def keys_of(stream: str) -> list[str]:
    k = Keys.of(stream)
    return [k.issued, k.episodes, k.trajectories, k.trained, k.discards, k.dead, k.beats, k.beat_expiry]


def numbers_of(answer: list[Any], at: float, before: Numbers | None) -> Numbers:
    """`at`: unix seconds on the own clock. The learner's last heartbeat is kept when Redis has dropped it."""
    now, issued, episodes, leased, trajectories, pending, trained, discarded, dead, unread, values, expiry = answer
    beats = [beat for value in values if (beat := _beat(value)) is not None]
    alive = {expiry[i].decode() for i in range(0, len(expiry), 2) if float(expiry[i + 1]) > now}
    learner = max((b for b in beats if b.role == "learner"), key=lambda b: b.at, default=None)
    return Numbers(
        at=at,
        counters=Counters(
            issued=issued,
            waiting=episodes - leased,
            leased=leased,
            depth=trajectories - pending,
            pending=pending,
            trained=trained,
            discarded=discarded,
            dead=dead,
        ),
        oldest_age=max(0.0, (now - int(unread.split(b"-")[0])) / 1000) if unread else None,
        learner=learner or (before.learner if before else None),
        workers={beat.who: beat for beat in beats if beat.role == "worker" and beat.who in alive},
    )


def _beat(value: bytes) -> Heartbeat | None:
    try:
        return decode(Heartbeat, value)
    except CodecError:  # of a newer release: it counts as none
        return None
