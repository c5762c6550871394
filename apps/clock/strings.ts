/** Words of the clock. */
import { words } from '../ui/text';
import type { Sound } from './state';

const en = {
  alarms: 'Alarms', world: 'World clock', timer: 'Timer', stopwatch: 'Stopwatch',
  addAlarm: 'Add alarm', newAlarm: 'New alarm', editAlarm: 'Edit alarm', deleteAlarm: 'Delete alarm', duplicate: 'Duplicate',
  edit: 'Edit', delete: 'Delete', save: 'Save', noAlarms: 'No alarms yet. Tap + to add one.',
  allOff: 'All alarms are off', nextIn: (span: string) => `Next alarm in ${span}`, ringsIn: (span: string) => `Alarm in ${span}`,
  time: 'Time', timeHint: 'Enter a time like 7:30', label: 'Label', repeat: 'Repeat', sound: 'Sound', vibrate: 'Vibrate',
  once: 'Once', everyDay: 'Every day', weekdays: 'Weekdays', weekend: 'Weekends',
  today: 'Today', tomorrow: 'Tomorrow', yesterday: 'Yesterday', comma: ', ', gap: ' ',
  days: (n: number) => `${n} d`, hours: (n: number) => `${n} h`, minutes: (n: number) => `${n} min`,
  hourLess: '−1 h', hourMore: '+1 h', minuteLess: '−5 min', minuteMore: '+5 min',
  deleted: 'Alarm deleted', snoozedUntil: (time: string) => `Snoozed until ${time}`, cancelSnooze: 'Cancel snooze',
  alarm: 'Alarm', snooze: (n: number) => `Snooze ${n} min`, stop: 'Stop', silent: 'Nothing is ringing', ringingNow: 'Ringing now',
  missed: 'Missed alarm', missedTimer: 'Timer ended', timerDone: 'Time is up',
  addCity: 'Add city', searchCity: 'Search cities', noCity: 'No city found', noCities: 'No cities yet. Tap + to add one.',
  remove: 'Remove', moveUp: 'Move up', moveDown: 'Move down', moveTop: 'Move to top', added: (city: string) => `${city} added`,
  cityThere: (city: string) => `${city} is already on your list`, removed: (city: string) => `${city} removed`,
  here: 'Here', sameTime: 'same time', ahead: (span: string) => `${span} ahead`, behind: (span: string) => `${span} behind`,
  start: 'Start', pause: 'Pause', resume: 'Resume', reset: 'Reset', plusMinute: '+1 min', erase: 'Erase digit', clear: 'Clear time',
  h: 'h', m: 'm', s: 's', timerLabel: 'Timer label', endsAt: (time: string) => `Ends at ${time}`, paused: 'Paused',
  addLabel: 'Add label', ok: 'OK', cancel: 'Cancel',
  lap: 'Lap', lapOf: (n: number) => `Lap ${n}`, lapCount: (n: number) => (n === 1 ? '1 lap' : `${n} laps`),
  settings: 'Clock settings', snoozeLength: 'Snooze length', silenceAfter: 'Silence after', defaultSound: 'Default sound',
  alarmVolume: 'Alarm volume', minutesLong: (n: number) => (n === 1 ? '1 minute' : `${n} minutes`),
  sounds: {
    dawn: 'Dawn', tide: 'Tide', bell: 'Bell', marimba: 'Marimba', birds: 'Birds', pulse: 'Pulse', silent: 'Silent',
  } as { [sound in Sound]: string },
};

const zh: typeof en = {
  alarms: '闹钟', world: '世界时钟', timer: '计时器', stopwatch: '秒表',
  addAlarm: '添加闹钟', newAlarm: '新建闹钟', editAlarm: '编辑闹钟', deleteAlarm: '删除闹钟', duplicate: '复制',
  edit: '编辑', delete: '删除', save: '保存', noAlarms: '还没有闹钟，点 + 添加',
  allOff: '所有闹钟都已关闭', nextIn: (span) => `${span}后响铃`, ringsIn: (span) => `闹钟将在${span}后响起`,
  time: '时间', timeHint: '请输入时间，如 7:30', label: '标签', repeat: '重复', sound: '铃声', vibrate: '振动',
  once: '只响一次', everyDay: '每天', weekdays: '工作日', weekend: '周末',
  today: '今天', tomorrow: '明天', yesterday: '昨天', comma: '，', gap: '',
  days: (n) => `${n}天`, hours: (n) => `${n}小时`, minutes: (n) => `${n}分钟`,
  hourLess: '−1小时', hourMore: '+1小时', minuteLess: '−5分', minuteMore: '+5分',
  deleted: '闹钟已删除', snoozedUntil: (time) => `小睡至${time}`, cancelSnooze: '取消小睡',
  alarm: '闹钟', snooze: (n) => `小睡${n}分钟`, stop: '停止', silent: '现在没有响铃', ringingNow: '正在响铃',
  missed: '错过的闹钟', missedTimer: '计时已结束', timerDone: '时间到',
  addCity: '添加城市', searchCity: '搜索城市', noCity: '没有找到城市', noCities: '还没有城市，点 + 添加',
  remove: '移除', moveUp: '上移', moveDown: '下移', moveTop: '移到最前', added: (city) => `已添加${city}`,
  cityThere: (city) => `${city}已在列表中`, removed: (city) => `已移除${city}`,
  here: '本地', sameTime: '时间相同', ahead: (span) => `快${span}`, behind: (span) => `慢${span}`,
  start: '开始', pause: '暂停', resume: '继续', reset: '重置', plusMinute: '+1分钟', erase: '删除一位', clear: '清空时间',
  h: '时', m: '分', s: '秒', timerLabel: '计时器标签', endsAt: (time) => `${time}结束`, paused: '已暂停',
  addLabel: '添加标签', ok: '确定', cancel: '取消',
  lap: '计次', lapOf: (n) => `第${n}圈`, lapCount: (n) => `共${n}圈`,
  settings: '时钟设置', snoozeLength: '小睡时长', silenceAfter: '自动静音', defaultSound: '默认铃声',
  alarmVolume: '闹钟音量', minutesLong: (n) => `${n}分钟`,
  sounds: { dawn: '破晓', tide: '潮汐', bell: '铃铛', marimba: '木琴', birds: '鸟鸣', pulse: '脉冲', silent: '静音' },
};

export const t = words({ en, zh });
